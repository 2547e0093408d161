// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/tvm/module_image.h"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <set>
#include <stdexcept>
#include <string_view>

namespace tilewright::tvm {
namespace {

constexpr std::string_view kRuntimePrefix = "TVM";

// A bounds-checked view of the file. Offsets come from the file itself, so none is trusted.
class Image {
 public:
  Image(char* bytes, size_t size) : bytes_(bytes), size_(size) {
    RequireSharedLibrary(bytes_, size_);
    const auto* header = At<Elf64_Ehdr>(0);
    segments_ = At<Elf64_Phdr>(header->e_phoff, header->e_phnum);
    segment_count_ = header->e_phnum;
  }

  template <class Record>
  Record* At(uint64_t offset, uint64_t count = 1) const {
    if (offset > size_ || count > (size_ - offset) / sizeof(Record)) {
      throw std::invalid_argument("truncated or damaged: a table lies outside the file");
    }
    return reinterpret_cast<Record*>(bytes_ + offset);
  }

  const Elf64_Phdr* Segment(uint32_t type) const {
    for (size_t i = 0; i < segment_count_; ++i) {
      if (segments_[i].p_type == type) return &segments_[i];
    }
    return nullptr;
  }

  // The file offset of what the loader maps at `address`.
  uint64_t OffsetOf(uint64_t address) const {
    for (size_t i = 0; i < segment_count_; ++i) {
      const Elf64_Phdr& segment = segments_[i];
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
          address - segment.p_vaddr < segment.p_filesz) {
        return address - segment.p_vaddr + segment.p_offset;
      }
    }
    throw std::invalid_argument("truncated or damaged: a table is in no loaded segment");
  }

 private:
  char* bytes_;
  size_t size_;
  const Elf64_Phdr* segments_ = nullptr;
  size_t segment_count_ = 0;
};

// The dynamic section's entries that lead to undefined symbols.
struct DynamicTables {
  uint64_t symbols = 0;
  uint64_t strings = 0;
  uint64_t strings_size = 0;
  uint64_t relocations = 0;
  uint64_t relocations_size = 0;
  uint64_t jump_relocations = 0;
  uint64_t jump_relocations_size = 0;
};

DynamicTables ReadDynamic(const Image& image) {
  const Elf64_Phdr* segment = image.Segment(PT_DYNAMIC);
  if (segment == nullptr) throw std::invalid_argument("not a shared library: no dynamic section");
  const uint64_t count = segment->p_filesz / sizeof(Elf64_Dyn);
  const auto* entries = image.At<Elf64_Dyn>(segment->p_offset, count);
  DynamicTables tables;
  for (uint64_t i = 0; i < count && entries[i].d_tag != DT_NULL; ++i) {
    const uint64_t value = entries[i].d_un.d_val;
    switch (entries[i].d_tag) {
      case DT_SYMTAB:
        tables.symbols = value;
        break;
      case DT_STRTAB:
        tables.strings = value;
        break;
      case DT_STRSZ:
        tables.strings_size = value;
        break;
      case DT_RELA:
        tables.relocations = value;
        break;
      case DT_RELASZ:
        tables.relocations_size = value;
        break;
      case DT_JMPREL:
        tables.jump_relocations = value;
        break;
      case DT_PLTRELSZ:
        tables.jump_relocations_size = value;
        break;
      default:
        break;
    }
  }
  return tables;
}

// Adds the indices of the symbols that a table of relocations refers to.
void CollectSymbols(const Image& image, uint64_t address, uint64_t size, std::set<uint32_t>* into) {
  if (size == 0) return;
  const uint64_t count = size / sizeof(Elf64_Rela);
  const auto* relocations = image.At<Elf64_Rela>(image.OffsetOf(address), count);
  for (uint64_t i = 0; i < count; ++i) into->insert(ELF64_R_SYM(relocations[i].r_info));
}

}  // namespace

void RequireSharedLibrary(const char* bytes, size_t size) {
  Elf64_Ehdr header;
  if (size < sizeof header || std::memcmp(bytes, ELFMAG, SELFMAG) != 0) {
    throw std::invalid_argument("not an ELF file");
  }
  std::memcpy(&header, bytes, sizeof header);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_machine != EM_X86_64) {
    throw std::invalid_argument("not compiled for x86-64");
  }
  if (header.e_type != ET_DYN) throw std::invalid_argument("not a shared library");
}

Redirection RedirectRuntimeSymbols(char* bytes, size_t size,
                                   const std::function<bool(const char*)>& provides) {
  const Image image(bytes, size);
  const DynamicTables tables = ReadDynamic(image);
  // The symbols are found through the relocations, the only readers of an undefined symbol: the
  // table itself does not say how long it is.
  std::set<uint32_t> indices;
  CollectSymbols(image, tables.relocations, tables.relocations_size, &indices);
  CollectSymbols(image, tables.jump_relocations, tables.jump_relocations_size, &indices);
  indices.erase(STN_UNDEF);

  Redirection result;
  if (indices.empty()) return result;
  const uint64_t symbols = image.OffsetOf(tables.symbols);
  const char* strings = image.At<char>(image.OffsetOf(tables.strings), tables.strings_size);
  if (tables.strings_size == 0 || strings[tables.strings_size - 1] != '\0') {
    throw std::invalid_argument("truncated or damaged: the string table does not end");
  }
  for (const uint32_t index : indices) {
    auto* symbol = image.At<Elf64_Sym>(symbols + uint64_t{index} * sizeof(Elf64_Sym));
    if (symbol->st_name >= tables.strings_size) {
      throw std::invalid_argument("truncated or damaged: a name lies outside the string table");
    }
    const std::string_view name = strings + symbol->st_name;
    if (symbol->st_shndx != SHN_UNDEF || name.substr(0, kRuntimePrefix.size()) != kRuntimePrefix) {
      continue;
    }
    if (provides(name.data() + kPrivateNameOffset)) {
      symbol->st_name += kPrivateNameOffset;
      result.redirected.emplace_back(name);
    } else if (ELF64_ST_BIND(symbol->st_info) != STB_WEAK) {
      result.unknown.emplace_back(name);
    }
  }
  return result;
}

}  // namespace tilewright::tvm
