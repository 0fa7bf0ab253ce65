import Router

/// The text of a table's cell, in styled parts.
struct CellText: Sendable {
  typealias Part = (text: String, faces: [OutputStyle.Face])

  var parts: [Part]

  init(_ parts: [Part]) { self.parts = parts }

  init(_ text: String, _ face: OutputStyle.Face? = nil) { parts = [(text, face.map { [$0] } ?? [])] }

  var text: String { parts.map(\.text).joined() }
  var columns: Int { parts.reduce(0) { $0 + $1.text.columns } }

  func styled(_ style: OutputStyle) -> String { parts.map { style.text($0.text, $0.faces) }.joined() }

  /// Creates a text with a search's words highlighted.
  init(_ text: String, _ face: OutputStyle.Face? = nil, marking search: SearchWords?) {
    let faces = face.map { [$0] } ?? []
    var end = text.startIndex
    parts = []
    for range in search?.ranges(in: text) ?? [] {
      parts.append((String(text[end..<range.lowerBound]), faces))
      parts.append((String(text[range]), [.bold, .red]))
      end = range.upperBound
    }
    parts.append((String(text[end...]), faces))
  }
}
