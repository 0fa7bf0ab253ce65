import Router

extension String {
  func padded(to columns: Int, atStart: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, columns - self.columns))
    return atStart ? spaces + self : self + spaces
  }
}

extension OutputStyle {
  func text(_ text: String, face: Face?) -> String {
    face.map { self.text(text, $0) } ?? text
  }
}
