extension String {
  /// The text with tabs expanded to multiples of 8 characters, and with newlines for DOS line ends. Prompt texts allow neither
  /// tabs nor carriage returns.
  var expandingTabs: String {
    var expanded = ""
    var column = 0
    for character in self {
      switch character {
      case "\t":
        let width = 8 - column % 8
        expanded += String(repeating: " ", count: width)
        column += width
      case "\n", "\r\n":
        expanded += "\n"
        column = 0
      default:
        expanded.append(character)
        column += 1
      }
    }
    return expanded
  }
}
