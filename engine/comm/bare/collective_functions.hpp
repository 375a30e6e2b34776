// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "comm/bare/collective_calls.hpp"
#include "comm/bare/mpi_types.hpp"

// The functions of MPI behind collective_calls.hpp; for the sources of this layer alone.
namespace isobath {

/// The ordinary functions, and those of MPI 4 whose names end in _c.
struct SmallCounts {
  using Count = int;
  using Offset = int;
};
struct LargeCounts {
  using Count = MPI_Count;
  using Offset = MPI_Aint;
};

/// What one rank passes, as a tuple in MPI's order and types: one function for each list of arguments that
/// collectives take (collective_calls.hpp).
template <class Counts>
class PassedArguments {
 public:
  using Count = typename Counts::Count;
  using Offset = typename Counts::Offset;

  PassedArguments(const BareArguments& arguments, MPI_Comm comm)
      : a_(arguments), comm_(comm), type_(mpi_type(a_.type)), operation_(mpi_operation(a_.operation)) {}

  auto nothing() { return std::tuple(comm_); }
  auto one_buffer() { return std::tuple(receive(), count(a_.receive_count), type_, a_.root_rank, comm_); }
  auto blocks() { return std::tuple_cat(both_blocks(), std::tuple(comm_)); }
  auto blocks_of_root() { return std::tuple_cat(both_blocks(), std::tuple(a_.root_rank, comm_)); }
  auto receive_counts() { return std::tuple_cat(sent(), received_of_each(), std::tuple(comm_)); }
  auto receive_counts_of_root() {
    return std::tuple_cat(sent(), received_of_each(), std::tuple(a_.root_rank, comm_));
  }
  auto send_counts_of_root() {
    return std::tuple_cat(sent_to_each(), received(), std::tuple(a_.root_rank, comm_));
  }
  auto both_counts() { return std::tuple_cat(sent_to_each(), received_of_each(), std::tuple(comm_)); }
  auto typed_counts() { return typed<Offset>(); }
  auto addressed_counts() { return typed<MPI_Aint>(); }
  auto vector() { return std::tuple(send(), receive(), count(a_.send_count), type_, operation_, comm_); }
  auto vector_of_root() {
    return std::tuple(send(), receive(), count(a_.send_count), type_, operation_, a_.root_rank, comm_);
  }
  auto vector_with_counts() {
    return std::tuple(send(), receive(), list<Count>(a_.receive_counts), type_, operation_, comm_);
  }
  auto block() { return std::tuple(send(), receive(), count(a_.receive_count), type_, operation_, comm_); }

  /// What the pointers of a tuple point into.
  std::vector<std::shared_ptr<const void>> take_lists() { return std::move(lists_); }

 private:
  static Count count(std::int64_t elements) { return static_cast<Count>(elements); }
  const void* send() const { return a_.send; }
  void* receive() const { return a_.receive; }
  auto sent() { return std::tuple(send(), count(a_.send_count), type_); }
  auto received() { return std::tuple(receive(), count(a_.receive_count), type_); }
  auto both_blocks() { return std::tuple_cat(sent(), received()); }
  auto sent_to_each() {
    return std::tuple(send(), list<Count>(a_.send_counts), list<Offset>(a_.send_offsets), type_);
  }
  auto received_of_each() {
    return std::tuple(receive(), list<Count>(a_.receive_counts), list<Offset>(a_.receive_offsets), type_);
  }
  /// A type for each block; offsets are in bytes.
  template <class ByteOffset>
  auto typed() {
    const std::int64_t bytes = bytes_of(a_.type);
    const MPI_Datatype* const types =
        keep(std::vector(std::max(a_.send_counts.size(), a_.receive_counts.size()), type_));
    return std::tuple(send(), list<Count>(a_.send_counts), list<ByteOffset>(a_.send_offsets, bytes), types,
                      receive(), list<Count>(a_.receive_counts), list<ByteOffset>(a_.receive_offsets, bytes),
                      types, comm_);
  }

  template <class Value>
  const Value* list(const std::vector<std::int64_t>& elements, std::int64_t scale = 1) {
    std::vector<Value> values;
    for (const std::int64_t element : elements) values.push_back(static_cast<Value>(element * scale));
    return keep(std::move(values));
  }
  template <class Value>
  const Value* keep(std::vector<Value> values) {
    const auto kept = std::make_shared<const std::vector<Value>>(std::move(values));
    lists_.push_back(kept);
    return kept->data();
  }

  const BareArguments& a_;
  MPI_Comm comm_;
  MPI_Datatype type_;
  MPI_Op operation_;
  std::vector<std::shared_ptr<const void>> lists_;
};

/// The three forms of one collective. Null where the library lacks one. @tparam Arguments  a tuple
template <class Arguments>
struct Functions;
template <class... Arguments>
struct Functions<std::tuple<Arguments...>> {
  int (*blocking)(Arguments...) = nullptr;
  int (*nonblocking)(Arguments..., MPI_Request*) = nullptr;
  int (*persistent)(Arguments..., MPI_Info, MPI_Request*) = nullptr;
};

template <class Counts>
struct CollectiveFunctions {
#define ISOBATH_FUNCTIONS(name, Name, takes) \
  Functions<decltype(std::declval<PassedArguments<Counts>&>().takes())> name; /* NOLINT: it is declared */
  ISOBATH_COLLECTIVES(ISOBATH_FUNCTIONS)
#undef ISOBATH_FUNCTIONS
};

/// Blocking and non-blocking, which every MPI 3 has.
CollectiveFunctions<SmallCounts> small_count_functions();
/// Puts in the persistent ones; nothing where this MPI lacks them (CMake chooses the file).
void add_persistent_functions(CollectiveFunctions<SmallCounts>& functions);
/// All null where this MPI lacks them (CMake chooses the file).
CollectiveFunctions<LargeCounts> large_count_functions();

}  // namespace isobath
