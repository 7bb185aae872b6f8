#!/bin/sh
# root.sh FOLDER: the root file system of the image, made in its base: Node.js and the packages of Debian that it links to.
# Scanners read in /var/lib/dpkg/status.d which versions these are.
set -eu
root=$1
packages='libc6 libgcc-s1 libstdc++6'
mkdir -p "$root/etc" "$root/usr/lib" "$root/usr/lib64" "$root/usr/local/bin" "$root/var/lib/dpkg/status.d"

# /lib is a link to /usr/lib in Debian
for link in /lib /lib64; do
  if [ -L "$link" ]; then cp -a "$link" "$root"; fi
done
for package in $packages; do
  dpkg -L "$package" | while read -r path; do if [ -f "$path" ]; then echo "${path#/}"; fi; done
  dpkg -s "$package" > "$root/var/lib/dpkg/status.d/$package"
done | tar -c -C / -T - | tar -x -C "$root"

cp -a /usr/local/bin/node "$root/usr/local/bin"
if [ -f /usr/local/LICENSE ]; then cp /usr/local/LICENSE "$root/usr/local"; fi
grep -E '^(root|node):' /etc/passwd > "$root/etc/passwd"
grep -E '^(root|node):' /etc/group > "$root/etc/group"
cp /etc/os-release "$root/etc"
echo 'hosts: files dns' > "$root/etc/nsswitch.conf"

# a library that is missing breaks the build, not the service
chroot "$root" /usr/local/bin/node --version
