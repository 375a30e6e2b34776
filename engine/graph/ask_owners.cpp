// SPDX-License-Identifier: Apache-2.0
#include "graph/ask_owners.hpp"

#include <utility>

#include "base/expects.hpp"

namespace isobath {
namespace {

/// The words in which a piece of the line has its bits. Pieces begin anywhere, so the first and the last word
/// may have bits of its neighbours, which its owner leaves out: nothing is shifted, and nothing copied.
struct WordsOfPiece {
  std::size_t first = 0;
  std::size_t count = 0;
};

WordsOfPiece words_of_piece(std::span<const std::size_t> first, std::size_t piece) {
  if (first[piece] == first[piece + 1]) return {};
  const std::size_t word = first[piece] / word_bits;
  return {word, words_for(first[piece + 1]) - word};
}

/// The numbers that a rank of the line asks for.
/// @param begin    position of the first own vertex, counted from the first bit of the question
/// @param question  of the words of the own piece
LargeArray<std::uint32_t> answer_to(LargeArray<Word> question, std::size_t begin,
                                    std::span<const std::uint32_t> own) {
  if (question.size() == 0) return {};
  const std::size_t end = begin + own.size();
  question[0] &= ~Word{0} << begin;
  if (end % word_bits != 0) question[question.size() - 1] &= ~(~Word{0} << (end % word_bits));
  const PlacedBits asked(std::move(question));
  LargeArray<std::uint32_t> answer(asked.count());
  const std::span<const Word> words = asked.bits();
#pragma omp parallel for schedule(static)
  for (std::size_t w = 0; w < words.size(); ++w) {
    std::size_t place = asked.members_below(w * word_bits);
    for_each_bit(words.subspan(w, 1),
                 [&](std::size_t bit) { answer[place++] = own[w * word_bits + bit - begin]; });
  }
  return answer;
}

std::size_t num_words(const PlacedBits& asked) { return asked.bits().size(); }
std::size_t num_words(const SparseMembers& asked) { return asked.words(); }
std::size_t num_words(const AllAsked& asked) { return words_for(asked.count()); }

/// The bits of a piece. @param room  for those that stand nowhere
std::span<const Word> question_to(const PlacedBits& asked, WordsOfPiece words, LargeArray<Word>& /*room*/) {
  return asked.bits().subspan(words.first, words.count);
}
std::span<const Word> question_to(const SparseMembers& asked, WordsOfPiece words, LargeArray<Word>& room) {
  room = asked.bits(words.first, words.count);
  return room.span();
}

std::span<const Word> question_to(const AllAsked& asked, WordsOfPiece words, LargeArray<Word>& room) {
  room = LargeArray<Word>(words.count);
  for (std::size_t w = 0; w < words.count; ++w) room[w] = word_of_first(asked.count(), words.first + w);
  return room.span();
}

template <class Members>
void ask_each_owner(const Communicator& line, const Members& asked, std::span<const std::size_t> first,
                    std::span<const std::uint32_t> own, std::span<std::uint32_t> told) {
  const auto pieces = static_cast<std::size_t>(line.size());
  const auto me = static_cast<std::size_t>(line.rank());
  ISOBATH_EXPECTS(first.size() == pieces + 1 && num_words(asked) == words_for(first[pieces]));
  ISOBATH_EXPECTS(own.size() == first[me + 1] - first[me]);
  ISOBATH_EXPECTS(told.size() == asked.count());
  for (std::size_t step = 0; step < pieces; ++step) {  // the first is with oneself
    const std::size_t owner = (me + step) % pieces;
    const std::size_t asker = (me + pieces - step) % pieces;
    const auto to_owner = static_cast<int>(owner);
    const auto to_asker = static_cast<int>(asker);
    LargeArray<Word> room;
    const std::span<const Word> mine = question_to(asked, words_of_piece(first, owner), room);
    LargeArray<Word> question(words_of_piece(first, me).count);
    line.send_receive<Word>(mine, to_owner, question.span(), to_asker);
    const LargeArray<std::uint32_t> answer = answer_to(std::move(question), first[me] % word_bits, own);
    const std::size_t place = asked_before(asked, first[owner]);
    const std::span<std::uint32_t> of_owner =
        told.subspan(place, asked_before(asked, first[owner + 1]) - place);
    line.send_receive<std::uint32_t>(answer.span(), to_asker, of_owner, to_owner);
  }
}

}  // namespace

void ask_owners(const Communicator& line, const PlacedBits& asked, std::span<const std::size_t> first,
                std::span<const std::uint32_t> own, std::span<std::uint32_t> told) {
  ask_each_owner(line, asked, first, own, told);
}
void ask_owners(const Communicator& line, const SparseMembers& asked, std::span<const std::size_t> first,
                std::span<const std::uint32_t> own, std::span<std::uint32_t> told) {
  ask_each_owner(line, asked, first, own, told);
}

void ask_owners(const Communicator& line, const AllAsked& asked, std::span<const std::size_t> first,
                std::span<const std::uint32_t> own, std::span<std::uint32_t> told) {
  ask_each_owner(line, asked, first, own, told);
}

}  // namespace isobath
