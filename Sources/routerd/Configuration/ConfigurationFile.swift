import Glibc
import Router
import RouterConfiguration

/// A configuration file: YAML with one value or list per setting, in sections at most one level deep. Unknown names are
/// errors.
struct ConfigurationFile: Sendable, Hashable {
  /// The texts of each setting by name; one per setting, except for lists.
  private(set) var values: [String: [String]] = [:]

  /// Reads a file. Throws a ``RouterError`` that names the line and the setting.
  init(path: String, mayBeMissing: Bool) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT, mayBeMissing { return }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    var count = descriptor < 0 ? -1 : 1
    while count > 0 {
      count = Glibc.read(descriptor, &buffer, buffer.count)
      bytes += buffer.prefix(max(0, count))
    }
    guard count == 0 else {
      throw RouterError(.invalid, "cannot read the configuration \(path): \(String(cString: strerror(errno)))")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw RouterError(.invalid, "cannot read the configuration \(path): it is not UTF-8")
    }
    do {
      try read(text)
    } catch {
      throw RouterError(.invalid, "cannot use the configuration \(path): \(error)")
    }
  }

  /// Parses the text of a file.
  init(yaml text: String) throws {
    try read(text)
  }

  private mutating func read(_ text: String) throws(YAMLError) {
    guard let root = try YAMLReader.read(text) else { return }
    if case .null = root.content { return }
    guard let members = root.members else { throw YAMLError("expected settings as name: value", line: root.line) }
    for member in members {
      guard Setting.sections.contains(member.name) else {
        try take(member, in: nil)
        continue
      }
      switch member.value.content {
      case .members(let members): for inner in members { try take(inner, in: member.name) }
      case .null: break
      case .text, .list: throw YAMLError("\(member.name) is a section: indent its settings below it", line: member.line)
      }
    }
  }

  private mutating func take(_ member: YAMLNode.Member, in section: String?) throws(YAMLError) {
    let name = (section.map { $0 + "." } ?? "") + member.name
    guard let setting = Setting.all.first(where: { $0.name == name && $0.section == section }) else {
      throw YAMLError("\(name) is not a setting. \(Setting.advice(for: name))", line: member.line)
    }
    switch member.value.content {
    case .null: values[name] = setting.isTable ? [] : [""]
    case .text(let text) where !setting.isTable: values[name] = [text]
    case .list(let elements) where setting.isList && !setting.isTable:
      values[name] = try elements.map { element throws(YAMLError) in
        guard case .text(let text) = element.content else {
          throw YAMLError("\(name) takes a list of values", line: element.line)
        }
        return text
      }
    case .members(let members) where setting.isTable:
      values[name] = []
      for member in members {
        let elements = if case .list(let elements) = member.value.content { elements } else { [member.value] }
        for element in elements {
          guard case .text(let text) = element.content else {
            throw YAMLError("\(name) takes lists of values by name", line: element.line)
          }
          values[name, default: []].append("\(member.name)=\(text)")
        }
      }
    case .text, .list, .members:
      let expected = setting.isTable ? "lists of values by name" : setting.isList ? "a list of values" : "one value"
      throw YAMLError("\(name) takes \(expected)", line: member.value.line)
    }
  }
}
