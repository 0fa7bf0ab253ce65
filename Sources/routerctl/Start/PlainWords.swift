import ArgumentParser

/// The words of a command line that is so plain that it can mean one thing alone: `--name value`, flags, and arguments that do
/// not begin with a dash.
///
/// ArgumentParser reads every command line there is, and says what is wrong with one. To do so it reflects over the commands,
/// and each look at a type searches all of the program for its conformances, which takes longer than most commands do. So
/// what is plain is read here. Whatever is not, or is wrong, is left to ArgumentParser; Docs/Decisions/start-of-routerctl.md.
struct PlainWords {
  /// What is not plain, or not right.
  struct NotPlain: Error {}

  /// What stood after options, by their names.
  private var values: [String: [String]] = [:]
  private var flags: Set<String> = []
  /// What belongs to no option.
  private(set) var arguments: [String] = []

  /// - Parameters:
  ///   - options: The names of what is followed by a value.
  ///   - flags: The names of what is not.
  init(_ words: some Sequence<String>, options: [String], flags: [String]) throws(NotPlain) {
    var words = words.makeIterator()
    while let word = words.next() {
      if !word.hasPrefix("-") {
        arguments.append(word)
      } else if flags.contains(word) {
        guard self.flags.insert(word).inserted else { throw NotPlain() }
      } else {
        guard options.contains(word), let value = words.next(), !value.hasPrefix("-") else { throw NotPlain() }
        values[word, default: []].append(value)
      }
    }
  }

  func flag(_ name: String) -> Bool { flags.contains(name) }

  /// What was given to an option that may be repeated.
  func texts(_ name: String) -> [String] { values[name] ?? [] }

  /// What was given to an option, by any of its names.
  func text(_ names: String...) throws(NotPlain) -> String? {
    let given = names.flatMap(texts)
    guard given.count < 2 else { throw NotPlain() }
    return given.first
  }

  /// The only argument.
  func argument() throws(NotPlain) -> String {
    guard let argument = arguments.first, arguments.count == 1 else { throw NotPlain() }
    return argument
  }

  func value<Value: ExpressibleByArgument>(_ names: String...) throws(NotPlain) -> Value? {
    let given = names.flatMap(texts)
    guard let text = given.first else { return nil }
    guard given.count == 1, let value = Value(argument: text) else { throw NotPlain() }
    return value
  }

  func values<Value: ExpressibleByArgument>(_ name: String) throws(NotPlain) -> [Value] {
    var found: [Value] = []
    for text in texts(name) {
      guard let value = Value(argument: text) else { throw NotPlain() }
      found.append(value)
    }
    return found
  }
}
