#!/bin/sh
# Starts Java with the options that schedulers/java_fork_join/README.md gives the reasons for. An archive follows.
workers=1 previous=
for argument; do
  [ "$previous" = --workers ] && workers=$argument
  previous=$argument
done
case $workers in
  [1-9] | [1-9][0-9] | [1-9][0-9][0-9]) ;;
  *) workers=1 ;; # Main refuses it.
esac
exec "@java@" -XX:+UseParallelGC -XX:ParallelGCThreads="$workers" -Xmn"$((64 * workers))m" \
  -Xms"$((64 * workers + 256))m" -Xss256m -XX:-UsePerfData -Xlog:disable -Xlog:all=warning:stderr \
  -jar "$0" "${0##*/stealbench-}" "$@"
