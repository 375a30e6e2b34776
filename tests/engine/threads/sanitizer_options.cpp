// SPDX-License-Identifier: Apache-2.0
// What the sanitizer of threads is to know, in every program of its build: whoever starts it, nothing need be
// set.

extern "C" {

const char* __tsan_default_options();
const char* __tsan_default_suppressions();

/// Calls out of libraries that were built without the sanitizer (MPI, libfabric, libomp) are not looked at:
/// it does not see what orders their threads. What they write into our buffers is not seen either. Archer,
/// which looks at the variable TSAN_OPTIONS alone, asks for the same at every start; it is set already.
const char* __tsan_default_options() {
  return "ignore_noninstrumented_modules=1:external_symbolizer_path=" ISOBATH_SYMBOLIZER;
}

/// None. Whoever adds one says in a comment why the report is wrong.
const char* __tsan_default_suppressions() { return ""; }
}
