// SPDX-License-Identifier: Apache-2.0
#include "comm/bare/collective_calls.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "comm/bare/collective_functions.hpp"
#include "comm/calls/check.hpp"

namespace isobath {

BareCall::~BareCall() = default;

namespace {

#define ISOBATH_NAME(name, Name, takes) #name,
constexpr std::string_view collectives[] = {ISOBATH_COLLECTIVES(ISOBATH_NAME)};
#undef ISOBATH_NAME
constexpr std::string_view forms[] = {"blocking", "nonblocking", "persistent"};

std::size_t place_of(std::string_view name, std::span<const std::string_view> names, std::string_view what) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    throw UsageError(fmt::format("there is no {} '{}'; there are {}", what, name, fmt::join(names, ", ")));
  }
  return static_cast<std::size_t>(found - names.begin());
}

/// A function with its arguments, and the lists that they point into.
template <class Arguments>
class BoundCall final : public BareCall {
 public:
  BoundCall(const Functions<Arguments>& functions, Form form, Arguments arguments,
            std::vector<std::shared_ptr<const void>> lists)
      : functions_(functions), form_(form), lists_(std::move(lists)), arguments_(std::move(arguments)) {
    if (form_ != Form::persistent) return;
    const int code =
        std::apply([&](auto... values) { return functions_.persistent(values..., MPI_INFO_NULL, &request_); },
                   arguments_);
    check(code, "a persistent collective's MPI_*_init");
  }
  ~BoundCall() override {
    if (form_ == Form::persistent && request_ != MPI_REQUEST_NULL) MPI_Request_free(&request_);
  }

  int start() noexcept override {
    if (form_ == Form::persistent) return MPI_Start(&request_);
    return std::apply(
        [this](auto... values) {
          return form_ == Form::blocking ? functions_.blocking(values...)
                                         : functions_.nonblocking(values..., &request_);
        },
        arguments_);
  }
  int wait() noexcept override {
    return form_ == Form::blocking ? MPI_SUCCESS : MPI_Wait(&request_, MPI_STATUS_IGNORE);
  }
  int test(bool& is_complete) noexcept override {
    is_complete = true;
    if (form_ == Form::blocking) return MPI_SUCCESS;
    int completed = 0;
    const int code = MPI_Test(&request_, &completed, MPI_STATUS_IGNORE);
    is_complete = completed != 0;
    return code;
  }

 private:
  Functions<Arguments> functions_;
  Form form_;
  std::vector<std::shared_ptr<const void>> lists_;
  Arguments arguments_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Gives `visitor` the functions of a collective, and what makes their arguments of PassedArguments.
template <class Counts, class Visitor>
auto visit(Collective collective, const CollectiveFunctions<Counts>& all, Visitor&& visitor) {
  switch (collective) {
#define ISOBATH_VISIT(name, Name, takes) \
  case Collective::name:                 \
    return visitor(all.name, [](PassedArguments<Counts>& passed) { return passed.takes(); });
    ISOBATH_COLLECTIVES(ISOBATH_VISIT)
#undef ISOBATH_VISIT
  }
  throw InternalError("a collective without a function; please report this");
}

template <class Counts>
bool exists(Collective collective, Form form, const CollectiveFunctions<Counts>& all) {
  return visit(collective, all, [form](const auto& functions, auto&&) {
    if (form == Form::blocking) return functions.blocking != nullptr;
    return form == Form::nonblocking ? functions.nonblocking != nullptr : functions.persistent != nullptr;
  });
}

bool exists(Collective collective, Form form, bool large_counts) {
  return large_counts ? exists(collective, form, large_count_functions())
                      : exists(collective, form, small_count_functions());
}

template <class Counts>
std::unique_ptr<BareCall> bind(Collective collective, Form form, const BareArguments& arguments,
                               MPI_Comm comm, const CollectiveFunctions<Counts>& all) {
  PassedArguments<Counts> passed(arguments, comm);
  return visit(collective, all, [&](const auto& functions, auto&& make) -> std::unique_ptr<BareCall> {
    const auto values = make(passed);
    return std::make_unique<BoundCall<std::remove_const_t<decltype(values)>>>(functions, form, values,
                                                                              passed.take_lists());
  });
}

}  // namespace

std::span<const std::string_view> collective_names() { return collectives; }
std::string_view name_of(Collective collective) { return collectives[static_cast<std::size_t>(collective)]; }
Collective parse_collective(std::string_view name) {
  return static_cast<Collective>(place_of(name, collectives, "collective"));
}

std::span<const std::string_view> form_names() { return forms; }
std::string_view name_of(Form form) { return forms[static_cast<std::size_t>(form)]; }
Form parse_form(std::string_view name) { return static_cast<Form>(place_of(name, forms, "form")); }

bool fits_small_counts(Collective collective, const BareArguments& a) {
  constexpr std::int64_t largest = std::numeric_limits<int>::max();
  const auto fits = [](std::int64_t value) { return value <= largest; };
  const std::int64_t scale = collective == Collective::alltoallw ? bytes_of(a.type) : 1;
  const auto offset_fits = [&](std::int64_t offset) { return offset <= largest / scale; };
  const bool has_addresses = collective == Collective::neighbor_alltoallw;
  return fits(a.send_count) && fits(a.receive_count) && std::ranges::all_of(a.send_counts, fits) &&
         std::ranges::all_of(a.receive_counts, fits) &&
         (has_addresses || (std::ranges::all_of(a.send_offsets, offset_fits) &&
                            std::ranges::all_of(a.receive_offsets, offset_fits)));
}

std::optional<std::string> call_name(Collective collective, Form form, bool large_counts) {
  if (!exists(collective, form, large_counts)) return std::nullopt;
  return fmt::format("{}{}{}{}", form == Form::nonblocking ? "i" : "", name_of(collective),
                     form == Form::persistent ? "_init" : "", large_counts ? "_c" : "");
}

std::unique_ptr<BareCall> make_bare_call(Collective collective, Form form, bool large_counts,
                                         const BareArguments& arguments, MPI_Comm comm) {
  if (!exists(collective, form, large_counts)) {
    throw InternalError("a collective was asked for that this MPI lacks; please report this");
  }
  return large_counts ? bind(collective, form, arguments, comm, large_count_functions())
                      : bind(collective, form, arguments, comm, small_count_functions());
}

}  // namespace isobath
