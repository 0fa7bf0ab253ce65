import ArgumentParser

/// A command that can be read from plain words, for those that are to begin at once.
///
/// What ``init(_:)`` makes is what ArgumentParser makes of the same words, in every one of its properties; a test compares
/// them for generated command lines.
protocol PlainCommand: AsyncParsableCommand {
  /// The names of its options that are followed by a value, and of its flags.
  static var plainNames: (options: [String], flags: [String]) { get }

  /// - Throws: ``PlainWords/NotPlain`` or what a value's reader throws: ArgumentParser is to say what is wrong.
  init(_ words: PlainWords) throws
}

extension PlainCommand {
  fileprivate static func read(_ words: some Sequence<String>) -> (any AsyncParsableCommand)? {
    let names = plainNames
    return try? Self(PlainWords(words, options: names.options, flags: names.flags))
  }
}

/// The commands that begin at once.
enum PlainCommands {
  /// The command of a plain command line; `nil` where ArgumentParser is to read it.
  static func command(of words: some Collection<String>) -> (any AsyncParsableCommand)? {
    guard let name = words.first else { return nil }
    let rest = words.dropFirst()
    switch name {
    case "confirm": return Confirm.read(rest)
    case "choose": return Choose.read(rest)
    case "log":
      switch rest.first {
      case "list": return LogList.read(rest.dropFirst())
      case "stats": return LogStats.read(rest.dropFirst())
      default: return LogList.read(rest)
      }
    default: return nil
    }
  }
}
