// SPDX-License-Identifier: Apache-2.0
#include "delay/addresses.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include <gtest/gtest.h>

namespace isobath {
namespace {

/// A frame from node to node, whose addresses differ in their last byte.
std::array<std::byte, 60> ethernet(int to, int from) {
  std::array<std::byte, 60> bytes{};
  bytes[0] = bytes[6] = std::byte{0x02};
  bytes[5] = static_cast<std::byte>(to);
  bytes[11] = static_cast<std::byte>(from);
  return bytes;
}

TEST(Addresses, AFrameIsForThePortFromWhichItsReceiverSent) {
  Addresses addresses(3);
  addresses.learn(0, ethernet(9, 1));
  addresses.learn(2, ethernet(1, 7));

  EXPECT_EQ(addresses.port_for(ethernet(1, 7)), 0U);
  EXPECT_EQ(addresses.port_for(ethernet(7, 1)), 2U);
}

TEST(Addresses, AFrameForSomebodyUnknownIsForEverybody) {
  Addresses addresses(2);
  addresses.learn(0, ethernet(2, 1));

  EXPECT_EQ(addresses.port_for(ethernet(2, 1)), std::nullopt);
}

TEST(Addresses, AFrameForEverybodyIsForEverybody) {
  Addresses addresses(2);
  addresses.learn(0, ethernet(2, 1));
  std::array<std::byte, 60> broadcast = ethernet(2, 1);
  for (std::size_t i = 0; i < 6; ++i) broadcast[i] = std::byte{0xff};

  EXPECT_EQ(addresses.port_for(broadcast), std::nullopt);
}

TEST(Addresses, PortsOfWhichNothingIsKnownAreNobodys) {
  const Addresses addresses(2);

  EXPECT_EQ(addresses.port_for(std::array<std::byte, 60>{}), std::nullopt);  // for the address 0
}

TEST(Addresses, ANodeThatGotANewAddressIsFoundByThatAlone) {
  Addresses addresses(2);
  addresses.learn(1, ethernet(9, 3));
  addresses.learn(1, ethernet(9, 4));

  EXPECT_EQ(addresses.port_for(ethernet(3, 1)), std::nullopt);
  EXPECT_EQ(addresses.port_for(ethernet(4, 1)), 1U);
}

TEST(Addresses, WhatIsShorterThanTwoAddressesSaysNothing) {
  Addresses addresses(2);
  const std::array<std::byte, 60> whole = ethernet(1, 2);
  addresses.learn(0, std::span(whole).first(11));

  EXPECT_EQ(addresses.port_for(ethernet(2, 1)), std::nullopt);
  addresses.learn(0, whole);
  EXPECT_EQ(addresses.port_for(std::span(whole).first(11)), std::nullopt);
}

}  // namespace
}  // namespace isobath
