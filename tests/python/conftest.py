# SPDX-License-Identifier: Apache-2.0
"""Settings of all Python tests."""

import hypothesis

# Machines that test are busy: no test fails because of its time.
hypothesis.settings.register_profile("isobath", deadline=None)
hypothesis.settings.load_profile("isobath")
