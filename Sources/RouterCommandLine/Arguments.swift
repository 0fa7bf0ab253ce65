public import ArgumentParser
import Glibc
public import Router

extension PresentationOptions.Priority: ExpressibleByArgument {}
extension PresentationOptions.ConflictPolicy: ExpressibleByArgument {}
extension PresentationOptions.Severity: ExpressibleByArgument {}
extension AuditStatistics.Dimension: ExpressibleByArgument {}
extension Presentation.State: ExpressibleByArgument {}
extension PresentationRequest.Remember.Match: ExpressibleByArgument {}

extension PresentationID: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

/// A duration: seconds, or a number with a unit.
package struct DurationArgument: ExpressibleByArgument, Sendable, Hashable {
  package let duration: Duration

  package init(duration: Duration) {
    self.duration = duration
  }

  package init?(argument: String) {
    let units: KeyValuePairs<String, Double> = ["ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86_400]
    let unit = units.first { argument.ends(with: $0.key) && argument.count > $0.key.count }
    let digits = unit.map { String(argument.dropLast($0.key.count)) } ?? argument
    guard let number = Double(digits), number > 0 else { return nil }
    let seconds = number * (unit?.value ?? 1)
    guard seconds <= 315_360_000 else { return nil }
    duration = .milliseconds(Int64(max(1, (seconds * 1000).rounded())))
  }

  package var defaultValueDescription: String { duration.compact }
}

extension CommandLine {
  /// The program's name and its arguments, preserving bytes that are not UTF-8 (``Swift/String/init(keeping:)``).
  package static var keptArguments: [String] {
    (0..<Int(argc)).compactMap { index in
      unsafeArgv[index].map { String(keeping: UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }
}

/// A label as `K=V`.
package struct LabelArgument: ExpressibleByArgument, Sendable, Hashable {
  package let name: String
  package let value: String

  package init?(argument: String) {
    guard let (name, value) = argument.cut(at: "="), !name.isEmpty else { return nil }
    (self.name, self.value) = (String(name), String(value))
  }
}

/// JSON given inline, in a file (`@file`) or on standard input (`-`).
package struct JSONArgument: ExpressibleByArgument, Sendable, Hashable {
  let argument: String

  package init(argument: String) { self.argument = argument }

  /// Parses the JSON; throws a ``CommandFailure`` that names the option.
  package func value(for name: String) throws -> JSONValue {
    do {
      return try JSONValue(parsing: try bytes(for: name))
    } catch let error as JSONError {
      throw CommandFailure(.usage, "cannot read \(name): \(error)")
    }
  }

  private func bytes(for name: String) throws -> [UInt8] {
    if argument == "-" { return try InputFile.standardInput.bytes(for: name) }
    if let path = argument.rest(after: "@") { return try InputFile(path: String(path)).bytes(for: name) }
    return Array(argument.utf8)
  }
}
