import CYAML

/// Reads one YAML document with the event parser of libyaml. Rejects features that settings do not need: anchors, aliases,
/// tags, and more than ``deepest`` levels.
package final class YAMLReader {
  static let deepest = 8
  /// The null of YAML's core schema (YAML 1.2, section 10.3.2).
  private static let nulls: Set = ["", "~", "null", "Null", "NULL"]

  // The parser keeps a pointer to itself.
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private var event = yaml_event_t()
  private let bytes: UnsafeBufferPointer<UInt8>

  /// Returns the root; `nil` if the text has no document.
  package static func read(_ text: String) throws(YAMLError) -> YAMLNode? {
    try Array(text.utf8).withUnsafeBufferPointer { bytes throws(YAMLError) in try YAMLReader(bytes).document() }
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>) throws(YAMLError) {
    self.bytes = bytes
    guard yaml_parser_initialize(parser) == 1 else { throw YAMLError("there is too little memory", line: 1) }
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    yaml_event_delete(&event)
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  private func document() throws(YAMLError) -> YAMLNode? {
    // The stream begins.
    try advance()
    try advance()
    guard event.type == YAML_DOCUMENT_START_EVENT else { return nil }
    try advance()
    let root = try node(depth: 1)
    // The document ends.
    try advance()
    try advance()
    guard event.type == YAML_STREAM_END_EVENT else { throw mistake("expected the end: a file has one document") }
    return root
  }

  /// Returns the node that begins with the current event, and advances to its last event.
  private func node(depth: Int) throws(YAMLError) -> YAMLNode {
    guard depth <= Self.deepest else { throw mistake("more than \(Self.deepest) levels") }
    let line = line
    let content: YAMLNode.Content
    switch event.type {
    case YAML_ALIAS_EVENT:
      throw mistake("aliases (*name) are not supported: repeat the value, or quote a text that begins with *")
    case YAML_SCALAR_EVENT: content = try scalar()
    case YAML_SEQUENCE_START_EVENT: content = .list(try list(depth))
    case YAML_MAPPING_START_EVENT: content = .members(try members(depth))
    default: throw mistake("expected a value")
    }
    return YAMLNode(content: content, line: line)
  }

  private func scalar() throws(YAMLError) -> YAMLNode.Content {
    let scalar = event.data.scalar
    try refuse(anchor: scalar.anchor, tag: scalar.tag)
    let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
    return scalar.style == YAML_PLAIN_SCALAR_STYLE && Self.nulls.contains(text) ? .null : .text(text)
  }

  private func list(_ depth: Int) throws(YAMLError) -> [YAMLNode] {
    try refuse(anchor: event.data.sequence_start.anchor, tag: event.data.sequence_start.tag)
    var elements: [YAMLNode] = []
    try advance()
    while event.type != YAML_SEQUENCE_END_EVENT {
      elements.append(try node(depth: depth + 1))
      try advance()
    }
    return elements
  }

  private func members(_ depth: Int) throws(YAMLError) -> [YAMLNode.Member] {
    try refuse(anchor: event.data.mapping_start.anchor, tag: event.data.mapping_start.tag)
    var members: [YAMLNode.Member] = []
    var lines: [String: Int] = [:]
    try advance()
    while event.type != YAML_MAPPING_END_EVENT {
      let line = line
      guard case .text(let name) = try node(depth: depth + 1).content else {
        throw YAMLError("expected settings as name: value", line: line)
      }
      if let first = lines.updateValue(line, forKey: name) {
        throw YAMLError("\(name) is set again, first on line \(first)", line: line)
      }
      try advance()
      members.append(.init(name: name, line: line, value: try node(depth: depth + 1)))
      try advance()
    }
    return members
  }

  private func refuse(anchor: UnsafeMutablePointer<UInt8>?, tag: UnsafeMutablePointer<UInt8>?) throws(YAMLError) {
    if anchor != nil { throw mistake("anchors (&name) are not supported") }
    if tag != nil { throw mistake("tags (!name) are not supported") }
  }

  private func advance() throws(YAMLError) {
    yaml_event_delete(&event)
    guard yaml_parser_parse(parser, &event) != 1 else { return }
    let state = parser.pointee
    let problem = [state.problem, state.context].compactMap { $0.map { String(cString: $0) } }.joined(separator: " ")
    // For an invalid byte, the parser knows the offset but not the line.
    let line =
      state.error == YAML_READER_ERROR
      ? bytes.prefix(state.problem_offset).count { $0 == UInt8(ascii: "\n") } : Int(state.problem_mark.line)
    throw YAMLError("this is not YAML: \(problem)", line: line + 1)
  }

  private var line: Int { Int(event.start_mark.line) + 1 }

  private func mistake(_ message: String) -> YAMLError { YAMLError(message, line: line) }
}
