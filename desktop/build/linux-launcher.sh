#!/bin/sh
# Starts the installed version of Benchbook. A new version gets one start to show its first screen, which removes `trial`.
# If it did not, the next start goes back to the version before, even if the new program cannot run at all.
root=$(dirname -- "$(readlink -f -- "$0")") || exit 1
trial=$(cat "$root/trial" 2>/dev/null)
if [ -n "$trial" ] && [ "$(readlink "$root/current")" = "versions/$trial" ]; then
  if [ -e "$root/tried" ]; then
    running=$(readlink "/proc/$(cat "$root/tried")/exe" 2>/dev/null)
    before=$(readlink "$root/before")
    # A second click while it is still starting is no failure.
    if [ "${running#"$root/versions/$trial/"}" = "$running" ] && [ -n "$before" ] &&
      [ -x "$root/$before/benchbook-desktop" ]; then
      printf '%s\n' "$trial" >"$root/left"
      ln -sfn -- "$before" "$root/.current" && mv -fT -- "$root/.current" "$root/current"
      rm -f -- "$root/trial" "$root/tried"
    fi
  else
    printf '%s\n' "$$" >"$root/tried"
  fi
fi
exec "$root/current/benchbook-desktop" "$@"
