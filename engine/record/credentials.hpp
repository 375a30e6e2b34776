// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace isobath {

/// Stands in the place of what is not stored.
inline constexpr std::string_view left_out = "[left out]";

/// What is left of a text may only then look like a credential; so often is looked again.
inline constexpr int most_passes = 8;

/// Whether a variable, an option or a field of that name holds a credential: SLURM_JWT, api-key; not KEYS.
bool is_credential_name(std::string_view name);

/// Where a text may stand that holds hashes of versions and files, only forms that are known are left out; in
/// values of variables and words of commands, long runs of letters and digits without order too.
enum class Disorder { allowed, removed };

/// The text with what looks like a credential left out. src/isobath/disclosure/credentials.py does the same;
/// tests/data/disclosure.json holds cases of both.
std::string without_credentials(std::string_view text, Disorder disorder = Disorder::allowed);

}  // namespace isobath
