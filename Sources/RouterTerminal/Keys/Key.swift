package enum Key: Sendable, Hashable {
  /// A character, or a combining mark that joins the previous one.
  case text(String)
  /// Pasted text, never interpreted as keys.
  case paste(String)
  case enter, escape, tab, backTab
  case up, down, left, right, home, end, pageUp, pageDown
  /// Deletes the character before the cursor, the character after it, the word before it, or everything before it.
  case backspace, delete, deleteWord, deleteLine
  /// Ctrl-L: redraw.
  case redraw
  /// Ctrl-X: go back from a prompt without an answer, if there is a list to go back to.
  case goBack
}
