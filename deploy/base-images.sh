#!/bin/sh
# Makes the two base images of the Containerfile out of Debian packages and the Node that runs here, for places where no registry
# of images can be reached:
#
#   deploy/base-images.sh
#   buildah build --isolation chroot --build-arg NODE_IMAGE=localhost/voxgate-node \
#     --build-arg RUNTIME_IMAGE=localhost/voxgate-runtime -f deploy/Containerfile -t voxgate .
#
# It needs root, buildah and mmdebstrap, and a mirror of Debian in apt's sources.
set -eu
suite=${SUITE:-bookworm}
node=$(readlink -f "$(command -v node)")
modules=$(dirname "$(readlink -f "$(dirname "$node")/npm")")/../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What Node and the voice library are linked with, and nothing that could be run: no shell, no package manager.
mmdebstrap --quiet --variant=extract --include=base-files,libc6,libgcc-s1,libstdc++6 "$suite" "$work/runtime.tar"
mmdebstrap --quiet --variant=minbase --include=ca-certificates "$suite" "$work/node.tar"

container() { # TAR: a container that holds what is in the archive
  made=$(buildah from scratch)
  buildah add --quiet "$made" "$1" / >/dev/null
  echo "$made"
}

runtime=$(container "$work/runtime.tar")
buildah commit --quiet --rm "$runtime" localhost/voxgate-runtime

build=$(container "$work/node.tar")
buildah copy --quiet "$build" "$node" /usr/local/bin/node >/dev/null
buildah copy --quiet "$build" "$modules/npm" /usr/local/lib/node_modules/npm >/dev/null
mounted=$(buildah mount "$build")
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$mounted/usr/local/bin/npm"
buildah umount "$build" >/dev/null
# Where packages come through a proxy with a certificate authority of its own; it stays out of the image that is run.
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  buildah copy --quiet "$build" "$NODE_EXTRA_CA_CERTS" /usr/local/share/extra-ca.pem >/dev/null
  buildah config --env NODE_EXTRA_CA_CERTS=/usr/local/share/extra-ca.pem "$build"
fi
buildah commit --quiet --rm "$build" localhost/voxgate-node
