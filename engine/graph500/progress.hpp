// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "graph500/kernel.hpp"

namespace isobath {

/// Told by the protocol what it does, outside timed regions, on every rank. The default says nothing.
class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  virtual ~Progress();

  virtual void generated(double /*seconds*/) {}
  virtual void constructed(double /*seconds*/) {}
  virtual void construction_is_wrong(const char* /*sentence*/) {}
  virtual void search_begins(Kernel /*kernel*/, int /*index*/) {}
  virtual void search_ended(Kernel /*kernel*/, int /*index*/, double /*seconds*/, double /*teps*/) {}
  virtual void validation_begins(Kernel /*kernel*/, int /*index*/) {}
  /// `violation` is one sentence, empty where the result is right.
  virtual void validated(Kernel /*kernel*/, int /*index*/, double /*seconds*/,
                         const std::string& /*violation*/) {}
};

}  // namespace isobath
