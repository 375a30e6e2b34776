#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stands where a launcher of MPI expects ssh: enter_node.sh [options] ADDRESS COMMAND...
# Runs the command in the network namespace that stands in for the node at that address.
# ISOBATH_NODE_PROCESSES lists the nodes as ADDRESS=PROCESS=PROCESSORS, separated by spaces (launch/namespaces.py).
while :; do
  case $1 in
    -*) shift ;;
    *) break ;;
  esac
done
address=$1
shift
for node in $ISOBATH_NODE_PROCESSES; do
  case $node in
    "$address="*)
      place=${node#*=}
      # ssh gives its words to a shell, so launchers quote them for one
      exec nsenter --target "${place%=*}" --net --uts taskset --cpu-list "${place#*=}" /bin/sh -c "$*"
      ;;
  esac
done
echo "isobath: there is no node $address; its network namespace is gone" >&2
exit 3
