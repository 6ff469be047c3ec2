#!/bin/sh
# Starts the installed version of Benchbook. A new version is on trial until it shows its first screen, which removes `trial`.
# After two starts that did not get that far, the next one goes back to the version before, even if the new program cannot
# run at all. One is not enough: somebody may have closed it, or the computer lost power.
root=$(dirname -- "$(readlink -f -- "$0")") || exit 1
trial=$(cat "$root/trial" 2>/dev/null)
if [ -n "$trial" ] && [ "$(readlink "$root/current")" = "versions/$trial" ]; then
  failed=0
  running=
  for try in "$root/tried"/*; do
    [ -e "$try" ] || continue
    pid=${try##*/}
    case $(readlink "/proc/${pid%%.*}/exe" 2>/dev/null) in
      "$root/versions/$trial/"*) running=yes ;;
      *) failed=$((failed + 1)) ;;
    esac
  done
  before=$(readlink "$root/before")
  # A start beside one that is still loading is no try.
  if [ -z "$running" ]; then
    if [ "$failed" -ge 2 ] && [ -n "$before" ] && [ -x "$root/$before/benchbook-desktop" ]; then
      printf '%s\n' "$trial" >"$root/left"
      ln -sfn -- "$before" "$root/.current" && mv -fT -- "$root/.current" "$root/current"
      rm -rf -- "$root/trial" "$root/tried"
    else
      # Process ids repeat after the computer was started again.
      mkdir -p -- "$root/tried" && mktemp "$root/tried/$$.XXXXXX" >/dev/null 2>&1
    fi
  fi
fi
exec "$root/current/benchbook-desktop" "$@"
