public import OrderedCollections

/// The exact action that a request asks to allow: `git push origin main` in a directory.
///
/// A prompt shows the action from these members, never from the request's title. The requester supplies them: Router checks
/// their form, not that the requester does nothing else.
public struct Act: Sendable, Hashable, Codable {
  /// The kind of action, such as `Bash` or `deploy`: 1 to 64 letters, digits, `.`, `_` and `-`.
  public var verb: String
  /// The target, such as a command or a path: at most 65,536 bytes.
  public var object: String?
  /// The words of a command that runs without a shell, or with a text of plain words. With an object, they must be the object's
  /// plain words.
  public var arguments: [String]?
  /// The absolute path of the working directory.
  public var directory: String?
  /// The environment variables that the requester states.
  public var environment: OrderedDictionary<String, String>
  /// Files with content that belongs to the act.
  package var files: [File] = []
  /// How the program is executed, if not through its open file.
  package var execution: Execution?

  package enum Execution: String, Sendable, Hashable, Codable {
    /// Executes a sealed copy of the script.
    case sealed
    /// Executes the program by its path, so that the file may change until it starts.
    case path
  }

  /// A file and the digest of its content.
  package struct File: Sendable, Hashable, Codable {
    /// The absolute path.
    package var path: String
    /// The SHA-256 of the content, as 64 lowercase hexadecimal digits.
    package var sha256: String
    /// The size of the content in bytes.
    package var bytes: Int
    /// Whether the command opens the file again by name, so that another file may replace it after the check.
    package var isReopened: Bool

    package init(path: String, sha256: String, bytes: Int, isReopened: Bool = false) {
      (self.path, self.sha256, self.bytes, self.isReopened) = (path, sha256, bytes, isReopened)
    }
  }

  public init(
    _ verb: String, object: String? = nil, arguments: [String]? = nil, directory: String? = nil,
    environment: OrderedDictionary<String, String> = [:]
  ) {
    (self.verb, self.object, self.arguments, self.directory) = (verb, object, arguments, directory)
    self.environment = environment
  }
}

extension Act {
  /// The SHA-256 of the act's JSON with sorted members, in hexadecimal. Equal acts have equal digests.
  package var digest: String { JSONText(self).value.digest }

  /// The arguments, quoted for a shell.
  package var commandLine: String? { arguments?.map(\.shellQuoted).joined(separator: " ") }

  /// Whether the object and the arguments agree: the object's plain words equal the arguments, byte for byte.
  package var isConsistent: Bool {
    guard let object, let arguments else { return true }
    guard let words = PlainWords.of(object) else { return false }
    return words.elementsEqual(arguments) { $0.utf8.elementsEqual($1.utf8) }
  }

  /// The command or target, for lists. If the object and the arguments differ, as in records of earlier versions, uses the
  /// arguments.
  package var text: String? { isConsistent ? object ?? commandLine : commandLine }

  /// Whether a request may contain the act.
  package var isValid: Bool { (try? check(at: "")) != nil }

  /// Checks the sizes and paths.
  func check(at pointer: String) throws(JSONError) {
    try TextRule.checkName(verb, at: pointer + "/verb")
    if let object { try Self.check(object, atMost: 65_536, at: pointer + "/object") }
    if let arguments {
      guard (1...4096).contains(arguments.count) else {
        throw JSONError("must have 1 to 4096 elements", at: pointer + "/argv")
      }
      guard arguments.reduce(0, { $0 + $1.utf8.count }) <= 131_072 else {
        throw JSONError("must have at most 131072 bytes", at: pointer + "/argv")
      }
      for (index, argument) in arguments.enumerated() {
        try Self.check(argument, atMost: 131_072, at: "\(pointer)/argv/\(index)")
      }
    }
    if let directory { try Self.check(path: directory, at: pointer + "/directory") }
    guard environment.count <= 64 else { throw JSONError("must have at most 64 variables", at: pointer + "/environment") }
    for (name, value) in environment {
      let place = pointer + "/environment/" + JSONPointer.escape(name.shortened)
      guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "=")) else {
        throw JSONError("is not a variable's name", at: place)
      }
      try Self.check(name, atMost: 256, at: place)
      try Self.check(value, atMost: 65_536, at: place)
    }
    guard files.count <= 64 else { throw JSONError("must have at most 64 files", at: pointer + "/files") }
    for (index, file) in files.enumerated() {
      let place = "\(pointer)/files/\(index)"
      try Self.check(path: file.path, at: place + "/path")
      guard file.sha256.utf8.count == 64, file.sha256 == file.sha256.lowercased(), [UInt8](hexadecimal: file.sha256[...]) != nil
      else { throw JSONError("must be 64 lowercase hexadecimal digits", at: place + "/sha256") }
    }
  }

  private static func check(_ text: String, atMost bytes: Int, at pointer: String) throws(JSONError) {
    guard text.utf8.count <= bytes else { throw JSONError("must have at most \(bytes) bytes", at: pointer) }
    if text.utf8.contains(0) { throw JSONError("must not contain a NUL", at: pointer) }
  }

  private static func check(path: String, at pointer: String) throws(JSONError) {
    try check(path, atMost: 4096, at: pointer)
    let parts = path.split(at: "/", omittingEmptySubsequences: false).dropFirst()
    guard path.begins(with: "/"), path == "/" || !parts.contains(where: { ["", ".", ".."].contains($0) }) else {
      throw JSONError("must be an absolute path without empty, . and .. components", at: pointer)
    }
  }
}

extension Act: Record {
  package static var about: String {
    "The exact action that the request asks to allow, as stated by the requester. The prompt shows it. Texts must not contain a NUL."
  }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    verb = try f("verb", \.verb, "The kind of act, such as Bash or deploy.", .schema("Name"))
    object = try f(
      "object", \.object, "The target, such as a command or a path; at most 65536 bytes.",
      ["type": "string", "maxLength": 65536, "pattern": "^[^\\u0000]*$"])
    arguments = try f(
      "argv", \.arguments,
      "The words of a command that runs without a shell, or with a text of plain words. With an object, they must be the plain words of the object, else 422. Together at most 131072 bytes.",
      ["type": "array", "minItems": 1, "maxItems": 4096, "items": ["type": "string", "pattern": "^[^\\u0000]*$"]])
    directory = try f(
      "directory", \.directory, "An absolute path without empty, . and .. components.",
      ["type": "string", "maxLength": 4096, "pattern": "^/$|^(/(?!\\.{1,2}(/|$))[^/\\u0000]+)+$"])
    environment = try f(
      "environment", default: [:], \.environment, "The variables that the requester vouches for.",
      [
        "type": "object", "maxProperties": 64,
        "propertyNames": ["type": "string", "minLength": 1, "maxLength": 256, "pattern": "^[^=\\u0000]+$"],
        "additionalProperties": ["type": "string", "maxLength": 65536, "pattern": "^[^\\u0000]*$"],
      ])
    files = try f(
      "files", default: [], \.files, "Files with content that belongs to the act.",
      ["type": "array", "maxItems": 64, "items": .schema("ActFile")])
    let script = try f(
      "script", { $0.execution == .sealed ? "sealed" : nil }, "The program is a script, and a sealed copy of it is executed.",
      ["const": "sealed"])
    let by = try f(
      "by", { $0.execution == .path ? "path" : nil },
      "The program's path is executed, so that it may change until it starts. Not with script.", ["const": "path"])
    try f.check(script == nil || script == "sealed" && by == nil, "must be sealed, without by", at: "script")
    try f.check(by == nil || by == "path", "must be path", at: "by")
    execution = script != nil ? .sealed : by != nil ? .path : nil
  }
}

extension Act.File: Record {
  package static var schemaName: String { "ActFile" }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    path = try f(
      "path", \.path, "An absolute path without empty, . and .. components.",
      ["type": "string", "maxLength": 4096, "pattern": "^/$|^(/(?!\\.{1,2}(/|$))[^/\\u0000]+)+$"])
    sha256 = try f("sha256", \.sha256, "The SHA-256 of the content.", ["type": "string", "pattern": "^[0-9a-f]{64}$"])
    bytes = try f("bytes", \.bytes, "The size of the content.", ["type": "integer", "minimum": 0, "maximum": 9007199254740992])
    isReopened = try f(
      "reopened", default: false, \.isReopened,
      "Whether the command opens the file again by name, so that another file may replace it after the check.")
  }
}
