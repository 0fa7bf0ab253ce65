import ArgumentParser
import Router
import RouterClient

/// A presentation's id, or its beginning or end, as `queue` and `log` print it.
struct IDArgument: ExpressibleByArgument, Sendable, Hashable {
  let text: String

  init?(argument: String) {
    let isPart = (4...36).contains(argument.utf8.count) && argument.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isHexDigit }
    guard isPart else { return nil }
    text = argument.lowercased()
  }

  /// The one that is meant, `nil` for none of them.
  func find(among ids: [PresentationID]) throws -> PresentationID? {
    let found = ids.filter { $0.description.hasPrefix(text) || $0.description.hasSuffix(text) }
    guard found.count > 1 else { return found.first }
    let some = found.prefix(5).map(\.description).joined(separator: ", ")
    throw CommandFailure(.refused, "cannot tell which presentation \(text) is: it may be \(some); give more of the id")
  }

  func find(in log: any LogSource) async throws -> PresentationID? {
    if let id = PresentationID(text) { return id }
    return try find(among: try await log.ids(beginningOrEndingWith: text, limit: 5))
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool { Character(Unicode.Scalar(self)).isHexDigit }
}

/// The presentation that a command is about.
struct TargetArgument: ParsableArguments {
  @Argument(help: "Presentation id, or its beginning or end of at least 4 characters.")
  var id: IDArgument?

  @Flag(help: "The newest prompt, instead of an id.")
  var last = false

  func validate() throws {
    guard (id == nil) == last else { throw ValidationError("Give an id, or --last.") }
  }

  /// Finds it among the open presentations.
  func find(in client: RouterClient) async throws -> PresentationID {
    if let id = try await client.findOpen(id, where: { _ in true }) { return id }
    throw unknown
  }

  /// Finds it among the open presentations, or else in the log.
  func find(in client: RouterClient, or log: () throws -> any LogSource) async throws -> PresentationID {
    if let id = try await client.findOpen(id, where: { _ in true }) { return id }
    return try await find(in: try log())
  }

  func find(in log: any LogSource) async throws -> PresentationID {
    guard let id else {
      var newest = AuditQuery()
      newest.limit = 1
      guard let last = try await log.presentations(newest).page.first?.id else { throw unknown }
      return last
    }
    guard let found = try await id.find(in: log) else { throw unknown }
    return found
  }

  private var unknown: RouterError {
    RouterError(.notFound, id.map { "cannot find the presentation \($0.text)" } ?? "cannot find a presentation: there is none")
  }
}

extension RouterClient {
  /// The id that is meant, or the newest open presentation's where none is given. A whole id need not be open.
  func findOpen(_ argument: IDArgument?, where isMeant: (Presentation) -> Bool) async throws -> PresentationID? {
    if let id = argument.flatMap({ PresentationID($0.text) }) { return id }
    let ids = try await presentations().filter(isMeant).map(\.id)
    return try argument.map { try $0.find(among: ids) } ?? ids.max()
  }
}
