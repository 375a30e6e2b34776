// SPDX-License-Identifier: Apache-2.0
#include "collectives/function_names.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <unwind.h>

#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace isobath {
namespace {

std::optional<Dl_info> library_at(std::uintptr_t address) {
  Dl_info info{};
  // The loader takes addresses as pointers.
  if (dladdr(reinterpret_cast<void*>(address), &info) == 0) return std::nullopt;  // NOLINT
  return info;
}

std::uintptr_t place_of_pointer(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}  // NOLINT

/// A structure at a place of a file; absent where the file ends before.
template <class Structure>
std::optional<Structure> read_at(const std::vector<char>& file, std::size_t place) {
  if (place > file.size() || file.size() - place < sizeof(Structure)) return std::nullopt;
  Structure found;
  std::memcpy(&found, file.data() + place, sizeof found);
  return found;
}

std::string text_at(const std::vector<char>& file, std::size_t place) {
  if (place >= file.size()) return {};
  return {file.data() + place, strnlen(file.data() + place, file.size() - place)};
}

}  // namespace

std::uintptr_t FunctionNames::begin_of(std::uintptr_t address) {
  // Tables for unwinding stay in a library that was stripped of its names.
  const std::uintptr_t begin =
      place_of_pointer(_Unwind_FindEnclosingFunction(reinterpret_cast<void*>(address)));  // NOLINT
  if (begin != 0) return begin;
  const std::optional<Dl_info> info = library_at(address);
  return info ? place_of_pointer(info->dli_saddr) : 0;
}

bool FunctionNames::is_own(std::uintptr_t address) {
  const std::optional<Dl_info> there = library_at(address);
  const std::optional<Dl_info> here = library_at(reinterpret_cast<std::uintptr_t>(&library_at));  // NOLINT
  return there && here && there->dli_fbase == here->dli_fbase;
}

std::string FunctionNames::name(std::uintptr_t begin) {
  const std::optional<Dl_info> info = library_at(begin);
  if (!info || info->dli_fname == nullptr) return fmt::format("{:#x}", begin);
  if (info->dli_sname != nullptr && place_of_pointer(info->dli_saddr) == begin) return info->dli_sname;
  const std::string file = info->dli_fname;
  const std::uintptr_t place = begin - place_of_pointer(info->dli_fbase);
  const Symbols& symbols = symbols_of(file);
  if (const auto found = symbols.find(place); found != symbols.end()) return found->second;
  return fmt::format("{}+{:#x}", file.substr(file.rfind('/') + 1), place);
}

const FunctionNames::Symbols& FunctionNames::symbols_of(const std::string& file) {
  const auto [entry, is_new] = symbols_.try_emplace(file);
  if (!is_new) return entry->second;
  std::ifstream stream(file, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64) {
    return entry->second;
  }
  const auto section = [&](std::size_t index) {
    return read_at<Elf64_Shdr>(bytes, header->e_shoff + index * header->e_shentsize);
  };
  for (std::size_t index = 0; index < header->e_shnum; ++index) {
    const auto table = section(index);
    if (!table || table->sh_type != SHT_SYMTAB) continue;
    const auto texts = section(table->sh_link);
    for (std::size_t at = 0; texts && at < table->sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = read_at<Elf64_Sym>(bytes, table->sh_offset + at);
      if (!symbol || ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF) continue;
      entry->second.try_emplace(symbol->st_value, text_at(bytes, texts->sh_offset + symbol->st_name));
    }
  }
  return entry->second;
}

}  // namespace isobath
