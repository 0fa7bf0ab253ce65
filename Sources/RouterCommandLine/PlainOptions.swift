package import ArgumentParser
import Router

/// Arguments that can be read without ArgumentParser, whose start takes longer than most commands.
package protocol PlainArguments: ParsableArguments {
  /// Sets all properties. Reading one that is not set ends the program.
  mutating func read(_ line: inout PlainOptions)
}

extension PlainArguments {
  /// Reads options such as `--timeout 5m`, and at most one argument.
  ///
  /// - Returns: `nil` if there are other words or an invalid value, for ArgumentParser to read or to explain.
  package init?(arguments words: some Sequence<String>) {
    var line = PlainOptions(words: Array(words))
    self = line.group()
    if !line.areRead { return nil }
  }
}

/// The words of a command line, of which those with a leading hyphen are names of options.
package struct PlainOptions {
  /// `nil` for words that have been read.
  fileprivate var words: [String?]
  private var isValid = true

  fileprivate init(words: [String?]) { self.words = words }

  fileprivate var areRead: Bool { isValid && words.allSatisfy { $0 == nil } }

  package mutating func group<Group: PlainArguments>() -> Group {
    var group = Group()
    group.read(&self)
    if (try? group.validate()) == nil { isValid = false }
    return group
  }

  package mutating func flag(_ name: String) -> Bool {
    let found = words.indices.filter { words[$0] == name }
    for index in found { words[index] = nil }
    return !found.isEmpty
  }

  /// Reads the last value of an option.
  package mutating func value<Value: ExpressibleByArgument>(_ name: String) -> Value? {
    let values: [Value] = values(name)
    return values.last
  }

  /// Reads the values of a repeatable option.
  package mutating func values<Value: ExpressibleByArgument>(_ name: String) -> [Value] {
    var values: [Value] = []
    for index in words.indices.dropLast() where words[index] == name {
      guard let word = words[index + 1], !word.begins(with: "-"), let value = Value(argument: word) else { continue }
      values.append(value)
      (words[index], words[index + 1]) = (nil, nil)
    }
    return values
  }

  /// Reads the only argument, after all options.
  package mutating func argument() -> String {
    guard let index = words.firstIndex(where: { $0?.begins(with: "-") == false }), let word = words[index] else {
      isValid = false
      return ""
    }
    words[index] = nil
    return word
  }
}
