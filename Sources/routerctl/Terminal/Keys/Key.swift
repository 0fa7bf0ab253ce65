enum Key: Sendable, Hashable {
  /// A character, or a mark that joins the one before.
  case text(String)
  /// What was pasted: text, whatever keys it would be.
  case paste(String)
  case enter, escape, tab, backTab
  case up, down, left, right, home, end, pageUp, pageDown
  /// Takes away the character before the cursor, the one behind it, the word before it, all before it.
  case backspace, delete, deleteWord, deleteLine
  /// Ctrl-L: draw it all again.
  case redraw
}
