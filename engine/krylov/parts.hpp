// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace isobath {

/// What an iteration consists of.
enum class KrylovPart : std::size_t {
  product,          // rows of the matrix times a vector
  halo,             // rows sent to and awaited from the neighbours
  preconditioner,   // the same for Jacobi
  dots,             // this rank's share of inner products
  updates,          // sums of vectors, as many at once as a method allows
  reduction,        // a blocking sum over ranks
  reduction_start,  // of a non-blocking one, and the next two
  reduction_test,
  reduction_wait,
};

inline constexpr std::array<std::pair<KrylovPart, std::string_view>, 9> krylov_parts = {
    {{KrylovPart::product, "product"},
     {KrylovPart::halo, "halo"},
     {KrylovPart::preconditioner, "preconditioner"},
     {KrylovPart::dots, "dots"},
     {KrylovPart::updates, "updates"},
     {KrylovPart::reduction, "reduction"},
     {KrylovPart::reduction_start, "reduction_start"},
     {KrylovPart::reduction_test, "reduction_test"},
     {KrylovPart::reduction_wait, "reduction_wait"}}};

/// Is told what begins; what was before ends there.
class KrylovObserver {
 public:
  KrylovObserver() = default;
  KrylovObserver(const KrylovObserver&) = delete;
  KrylovObserver& operator=(const KrylovObserver&) = delete;
  virtual ~KrylovObserver();

  virtual void begins(KrylovPart part) = 0;
};

/// Nobody is interested.
class SilentKrylovObserver final : public KrylovObserver {
 public:
  void begins(KrylovPart) override {}
};

}  // namespace isobath
