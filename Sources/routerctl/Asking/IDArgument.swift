import ArgumentParser
import Router
import RouterClient
import RouterCommandLine

/// A presentation's id, or its beginning or end, as `queue` and `log` print it.
struct IDArgument: ExpressibleByArgument, Sendable, Hashable {
  let text: String

  init?(argument: String) {
    let isPart = (4...36).contains(argument.utf8.count) && argument.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isHexDigit }
    guard isPart else { return nil }
    text = argument.lowercased()
  }

  /// Returns the matching id; `nil` if there is none.
  func find(among ids: [PresentationID]) throws -> PresentationID? {
    let found = ids.filter { $0.description.begins(with: text) || $0.description.ends(with: text) }
    guard found.count > 1 else { return found.first }
    let some = found.prefix(5).map(\.description).joined(separator: ", ")
    throw CommandFailure(.refused, "the id \(text) is ambiguous: it matches \(some). Pass more of the id")
  }

  func find(in log: any LogSource) async throws -> PresentationID? {
    if let id = PresentationID(text) { return id }
    return try find(among: try await log.ids(beginningOrEndingWith: text, limit: 5))
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool { Character(Unicode.Scalar(self)).isHexDigit }
}

/// The presentation that a command acts on.
struct TargetArgument: ParsableArguments {
  @Argument(help: "Prompt id, or at least 4 characters of its beginning or end.")
  var id: IDArgument?

  @Flag(help: "Use the newest prompt instead of an id.")
  var last = false

  func validate() throws {
    guard (id == nil) == last else { throw ValidationError("Pass either an id or --last.") }
  }

  /// Finds the id among the open presentations.
  func find(in client: RouterClient) async throws -> PresentationID {
    if let id = try await client.findOpen(id, where: { _ in true }) { return id }
    throw unknown
  }

  /// Finds the id among the open presentations, then in the log.
  func find(in client: RouterClient, or log: () throws -> any LogSource) async throws -> PresentationID {
    if let id = try await client.findOpen(id, where: { _ in true }) { return id }
    return try await find(in: try log())
  }

  func find(in log: any LogSource) async throws -> PresentationID {
    guard let id else {
      var newest = AuditQuery()
      newest.limit = 1
      guard let last = try await log.presentationPage(newest).page.first?.id else { throw unknown }
      return last
    }
    guard let found = try await id.find(in: log) else { throw unknown }
    return found
  }

  private var unknown: RouterError {
    RouterError(.notFound, id.map { "cannot find the prompt \($0.text)" } ?? "cannot find a prompt: there are none")
  }
}

extension RouterClient {
  /// Returns the matching id; without an argument, the newest open presentation's. A complete id need not be open.
  func findOpen(_ argument: IDArgument?, where isMeant: (Presentation) -> Bool) async throws -> PresentationID? {
    if let id = argument.flatMap({ PresentationID($0.text) }) { return id }
    let ids = try await presentations().filter(isMeant).map(\.id)
    return try argument.map { try $0.find(among: ids) } ?? ids.max()
  }
}
