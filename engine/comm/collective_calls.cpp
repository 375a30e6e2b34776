// SPDX-License-Identifier: Apache-2.0
#include "comm/collective_calls.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "comm/check.hpp"
#include "comm/collective_functions.hpp"
#include "comm/mpi_types.hpp"

namespace isobath {

BareCall::~BareCall() = default;

namespace {

constexpr std::array<std::string_view, 22> collectives = {"barrier",
                                                          "bcast",
                                                          "gather",
                                                          "gatherv",
                                                          "scatter",
                                                          "scatterv",
                                                          "allgather",
                                                          "allgatherv",
                                                          "alltoall",
                                                          "alltoallv",
                                                          "alltoallw",
                                                          "reduce",
                                                          "allreduce",
                                                          "reduce_scatter",
                                                          "scan",
                                                          "exscan",
                                                          "reduce_scatter_block",
                                                          "neighbor_allgather",
                                                          "neighbor_allgatherv",
                                                          "neighbor_alltoall",
                                                          "neighbor_alltoallv",
                                                          "neighbor_alltoallw"};
constexpr std::array<std::string_view, 3> forms = {"blocking", "nonblocking", "persistent"};

template <std::size_t n>
std::size_t place_of(std::string_view name, const std::array<std::string_view, n>& names,
                     std::string_view what) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    throw UsageError(fmt::format("there is no {} '{}'; there are {}", what, name, fmt::join(names, ", ")));
  }
  return static_cast<std::size_t>(found - names.begin());
}

/// The counts of one rank in the types of its function.
template <class Counts>
struct CountArrays {
  using Count = typename Counts::Count;
  using Offset = typename Counts::Offset;

  explicit CountArrays(const BareArguments& a)
      : bytes(bytes_of(a.type)),
        types(std::max(a.send_counts.size(), a.receive_counts.size()), mpi_type(a.type)),
        send_counts(a.send_counts.begin(), a.send_counts.end()),
        receive_counts(a.receive_counts.begin(), a.receive_counts.end()),
        send_offsets(a.send_offsets.begin(), a.send_offsets.end()),
        receive_offsets(a.receive_offsets.begin(), a.receive_offsets.end()) {}

  /// Of functions with a type for each block.
  template <class ByteOffset>
  std::vector<ByteOffset> in_bytes(const std::vector<std::int64_t>& elements) const {
    std::vector<ByteOffset> offsets;
    for (const std::int64_t offset : elements) offsets.push_back(static_cast<ByteOffset>(offset * bytes));
    return offsets;
  }

  std::int64_t bytes;
  std::vector<MPI_Datatype> types;
  std::vector<Count> send_counts;
  std::vector<Count> receive_counts;
  std::vector<Offset> send_offsets;
  std::vector<Offset> receive_offsets;
  std::vector<Offset> send_byte_offsets;
  std::vector<Offset> receive_byte_offsets;
  std::vector<MPI_Aint> send_addresses;
  std::vector<MPI_Aint> receive_addresses;
};

/// A function with its arguments; `Counts` keeps the arrays that they point into.
template <class Counts, class... Arguments>
class BoundCall final : public BareCall {
 public:
  BoundCall(const Functions<Arguments...>& functions, Form form, std::unique_ptr<CountArrays<Counts>> arrays,
            std::type_identity_t<Arguments>... arguments)
      : functions_(functions), form_(form), arrays_(std::move(arrays)), arguments_(arguments...) {
    if (form_ != Form::persistent) return;
    const int code = std::apply(
        [&](Arguments... values) { return functions_.persistent(values..., MPI_INFO_NULL, &request_); },
        arguments_);
    check(code, "a persistent collective's MPI_*_init");
  }
  ~BoundCall() override {
    if (form_ == Form::persistent && request_ != MPI_REQUEST_NULL) MPI_Request_free(&request_);
  }

  int start() noexcept override {
    if (form_ == Form::persistent) return MPI_Start(&request_);
    return std::apply(
        [this](Arguments... values) {
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
  Functions<Arguments...> functions_;
  Form form_;
  std::unique_ptr<CountArrays<Counts>> arrays_;
  std::tuple<Arguments...> arguments_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Gives each collective the arguments that its function takes.
template <class Counts>
class CallMaker {
 public:
  using Count = typename Counts::Count;
  using All = CollectiveFunctions<Counts>;

  CallMaker(Form form, const BareArguments& a, MPI_Comm comm)
      : form_(form), a_(a), comm_(comm), type_(mpi_type(a.type)) {}

  std::unique_ptr<BareCall> make(Collective collective, const All& all) {
    switch (collective) {
      case Collective::barrier:
        return bind(all.barrier, comm_);
      case Collective::bcast:
        return bind(all.bcast, static_cast<void*>(a_.receive), count(a_.receive_count), type_, a_.root_rank,
                    comm_);
      case Collective::gather:
        return rooted(all.gather);
      case Collective::gatherv:
        return gatherv(all);
      case Collective::scatter:
        return rooted(all.scatter);
      case Collective::scatterv:
        return scatterv(all);
      case Collective::allgather:
        return regular(all.allgather);
      case Collective::allgatherv:
        return to_each(all.allgatherv);
      case Collective::alltoall:
        return regular(all.alltoall);
      case Collective::alltoallv:
        return pairs(all.alltoallv);
      case Collective::alltoallw:
        return alltoallw(all);
      case Collective::reduce:
        return bind(all.reduce, send(), receive(), count(a_.send_count), type_, operation(), a_.root_rank,
                    comm_);
      case Collective::allreduce:
        return reduction(all.allreduce, a_.send_count);
      case Collective::reduce_scatter:
        return reduce_scatter(all);
      case Collective::scan:
        return reduction(all.scan, a_.send_count);
      case Collective::exscan:
        return reduction(all.exscan, a_.send_count);
      case Collective::reduce_scatter_block:
        return reduction(all.reduce_scatter_block, a_.receive_count);
      case Collective::neighbor_allgather:
        return regular(all.neighbor_allgather);
      case Collective::neighbor_allgatherv:
        return to_each(all.neighbor_allgatherv);
      case Collective::neighbor_alltoall:
        return regular(all.neighbor_alltoall);
      case Collective::neighbor_alltoallv:
        return pairs(all.neighbor_alltoallv);
      case Collective::neighbor_alltoallw:
        return neighbor_alltoallw(all);
    }
    throw InternalError("a collective without a call; please report this");
  }

 private:
  using Arrays = CountArrays<Counts>;
  using Made = std::unique_ptr<BareCall>;

  static Count count(std::int64_t elements) { return static_cast<Count>(elements); }
  const void* send() const { return a_.send; }
  void* receive() const { return a_.receive; }
  MPI_Op operation() const { return mpi_operation(a_.operation); }

  template <class... Arguments>
  Made bind(const Functions<Arguments...>& functions, std::type_identity_t<Arguments>... arguments) {
    return std::make_unique<BoundCall<Counts, Arguments...>>(functions, form_, std::move(arrays_),
                                                             arguments...);
  }
  Arrays& arrays() {
    arrays_ = std::make_unique<Arrays>(a_);
    return *arrays_;
  }

  Made rooted(const typename All::Rooted& functions) {
    return bind(functions, send(), count(a_.send_count), type_, receive(), count(a_.receive_count), type_,
                a_.root_rank, comm_);
  }
  Made regular(const typename All::Regular& functions) {
    return bind(functions, send(), count(a_.send_count), type_, receive(), count(a_.receive_count), type_,
                comm_);
  }
  Made to_each(const typename All::ToEach& functions) {
    Arrays& n = arrays();
    return bind(functions, send(), count(a_.send_count), type_, receive(), n.receive_counts.data(),
                n.receive_offsets.data(), type_, comm_);
  }
  Made pairs(const typename All::Pairs& functions) {
    Arrays& n = arrays();
    return bind(functions, send(), n.send_counts.data(), n.send_offsets.data(), type_, receive(),
                n.receive_counts.data(), n.receive_offsets.data(), type_, comm_);
  }
  Made reduction(const typename All::Reduction& functions, std::int64_t elements) {
    return bind(functions, send(), receive(), count(elements), type_, operation(), comm_);
  }
  Made gatherv(const All& all) {
    Arrays& n = arrays();
    return bind(all.gatherv, send(), count(a_.send_count), type_, receive(), n.receive_counts.data(),
                n.receive_offsets.data(), type_, a_.root_rank, comm_);
  }
  Made scatterv(const All& all) {
    Arrays& n = arrays();
    return bind(all.scatterv, send(), n.send_counts.data(), n.send_offsets.data(), type_, receive(),
                count(a_.receive_count), type_, a_.root_rank, comm_);
  }
  Made reduce_scatter(const All& all) {
    Arrays& n = arrays();
    return bind(all.reduce_scatter, send(), receive(), n.receive_counts.data(), type_, operation(), comm_);
  }
  Made alltoallw(const All& all) {
    Arrays& n = arrays();
    n.send_byte_offsets = n.template in_bytes<typename Counts::Offset>(a_.send_offsets);
    n.receive_byte_offsets = n.template in_bytes<typename Counts::Offset>(a_.receive_offsets);
    return bind(all.alltoallw, send(), n.send_counts.data(), n.send_byte_offsets.data(), n.types.data(),
                receive(), n.receive_counts.data(), n.receive_byte_offsets.data(), n.types.data(), comm_);
  }
  Made neighbor_alltoallw(const All& all) {
    Arrays& n = arrays();
    n.send_addresses = n.template in_bytes<MPI_Aint>(a_.send_offsets);
    n.receive_addresses = n.template in_bytes<MPI_Aint>(a_.receive_offsets);
    return bind(all.neighbor_alltoallw, send(), n.send_counts.data(), n.send_addresses.data(), n.types.data(),
                receive(), n.receive_counts.data(), n.receive_addresses.data(), n.types.data(), comm_);
  }

  Form form_;
  const BareArguments& a_;
  MPI_Comm comm_;
  MPI_Datatype type_;
  std::unique_ptr<Arrays> arrays_;
};

/// Whether the library has one form of one collective.
template <class Counts>
class Presence {
 public:
  Presence(Collective collective, Form form) : collective_(collective), form_(form) {}

  bool in(const CollectiveFunctions<Counts>& all) const {
    switch (collective_) {
      case Collective::barrier:
        return has(all.barrier);
      case Collective::bcast:
        return has(all.bcast);
      case Collective::gather:
        return has(all.gather);
      case Collective::gatherv:
        return has(all.gatherv);
      case Collective::scatter:
        return has(all.scatter);
      case Collective::scatterv:
        return has(all.scatterv);
      case Collective::allgather:
        return has(all.allgather);
      case Collective::allgatherv:
        return has(all.allgatherv);
      case Collective::alltoall:
        return has(all.alltoall);
      case Collective::alltoallv:
        return has(all.alltoallv);
      case Collective::alltoallw:
        return has(all.alltoallw);
      case Collective::reduce:
        return has(all.reduce);
      case Collective::allreduce:
        return has(all.allreduce);
      case Collective::reduce_scatter:
        return has(all.reduce_scatter);
      case Collective::scan:
        return has(all.scan);
      case Collective::exscan:
        return has(all.exscan);
      case Collective::reduce_scatter_block:
        return has(all.reduce_scatter_block);
      case Collective::neighbor_allgather:
        return has(all.neighbor_allgather);
      case Collective::neighbor_allgatherv:
        return has(all.neighbor_allgatherv);
      case Collective::neighbor_alltoall:
        return has(all.neighbor_alltoall);
      case Collective::neighbor_alltoallv:
        return has(all.neighbor_alltoallv);
      case Collective::neighbor_alltoallw:
        return has(all.neighbor_alltoallw);
    }
    return false;
  }

 private:
  template <class... Arguments>
  bool has(const Functions<Arguments...>& functions) const {
    switch (form_) {
      case Form::blocking:
        return functions.blocking != nullptr;
      case Form::nonblocking:
        return functions.nonblocking != nullptr;
      case Form::persistent:
        return functions.persistent != nullptr;
    }
    return false;
  }

  Collective collective_;
  Form form_;
};

bool exists(Collective collective, Form form, bool large_counts) {
  if (large_counts) return Presence<LargeCounts>(collective, form).in(large_count_functions());
  return Presence<SmallCounts>(collective, form).in(small_count_functions());
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
  if (large_counts) {
    return CallMaker<LargeCounts>(form, arguments, comm).make(collective, large_count_functions());
  }
  return CallMaker<SmallCounts>(form, arguments, comm).make(collective, small_count_functions());
}

}  // namespace isobath
