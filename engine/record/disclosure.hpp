// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace isobath {

/// Words of a command as records keep them: what follows --token and the like, variables that are not stored
/// and what looks like a credential are left out. src/isobath/disclosure/words.py does the same;
/// tests/data/disclosure.json holds cases of both.
std::vector<std::string> stored_words(const std::vector<std::string>& words);

/// The value of a variable, or "[left out]": stored is what disclosure/names.toml lists.
std::string stored_value(std::string_view name, std::string_view value);

/// Of an environment (NAME=VALUE, a null pointer at its end) the variables that MPI libraries and their
/// transports read, as records keep them.
std::map<std::string, std::string> stored_variables(const char* const* environment);

}  // namespace isobath
