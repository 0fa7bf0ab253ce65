# A terminal to type in and to look at, and a daemon. Sourced by capture-terminal, in $CAPTURES; not a program.

terminal() { tmux -u -S "$XDG_RUNTIME_DIR/tmux" "$@"; }
# shown: the visible text without trailing blanks.
shown() {
  local text
  text=$(terminal capture-pane -p | sed 's/[[:space:]]*$//')
  printf '%s\n' "$text"
}
# until_shown TEXT…: waits until the terminal shows all of them.
until_shown() {
  local text screen tries=0
  for text in "$@"; do
    until screen=$(terminal capture-pane -p) && [[ $screen == *"$text"* ]]; do
      if ((tries++ > 1000)); then
        printf 'cannot capture: no "%s" in\n%s\n' "$text" "$screen" >&2
        return 1
      fi
      sleep 0.02
    done
  done
}
# until_prompt: waits until the shell's prompt is the last line.
until_prompt() { until [[ $(shown | tail -n 1) == '$' ]]; do sleep 0.02; done; }
# until_asked TEXT: waits until the terminal shows it and accepts keys.
until_asked() {
  until_shown "│ $1" Esc
  until [[ $(terminal capture-pane -p) != *'one moment'* ]]; do sleep 0.02; done
}
press() { terminal send-keys "$@"; }
# enter COMMAND: types it at a clear screen.
enter() {
  until_prompt
  press C-l
  press -l "$1"
  press Enter
}
# ask COMMAND: runs it in the other window.
ask() {
  terminal send-keys -t asking -l "clear; $1"
  terminal send-keys -t asking Enter
}
# open_terminal COLUMNS ROWS [VARIABLE=VALUE]: a terminal with a shell, and a window for the programs that ask.
open_terminal() {
  terminal -f /dev/null new-session -d -x "$1" -y "$2" env PS1='$ ' "${@:3}" bash --norc
  terminal new-window -d -n asking env PS1='$ ' bash --norc
  until_shown '$'
}
start_daemon() {
  routerd 2>daemon.log &
  daemon=$!
  until grep -qs listening daemon.log; do sleep 0.02; done
}
# close_terminal: ends all programs, and removes the log.
close_terminal() {
  terminal kill-server
  kill "$daemon"
  wait "$daemon" || true
  rm -rf .local daemon.log
}
