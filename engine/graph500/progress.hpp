// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "validate/bfs_rules.hpp"

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
  virtual void search_begins(int /*index*/) {}
  virtual void search_ended(int /*index*/, double /*seconds*/, double /*teps*/) {}
  virtual void validation_begins(int /*index*/) {}
  virtual void validated(int /*index*/, double /*seconds*/, const BfsValidation& /*outcome*/) {}
};

}  // namespace isobath
