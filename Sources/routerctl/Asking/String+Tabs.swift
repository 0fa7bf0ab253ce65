extension String {
  /// The text with spaces for tabs, up to the next multiple of 8 characters in its line, and with newlines for the line ends of
  /// DOS. Texts of prompts have neither.
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
