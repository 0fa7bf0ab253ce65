import FoundationEssentials
import Glibc
import Router
import RouterClient
import RouterCommandLine

extension MCPTools {
  private static let field = "secret"

  /// Asks for a secret and saves it to a file, so that the model does not see it.
  ///
  /// - Parameter page: Opens Router's page for the person; `nil` if the client cannot.
  func secret(_ arguments: JSONValue, app: String, page: MCPPage?) async throws(Failure) -> Result {
    var request = try question(.sheet, arguments)
    request.sheet = "agent-secret"
    request.sensitive = true
    request.schema = FormSchema(properties: [
      FormSchema.Property(
        name: Self.field, kind: .string, title: "Secret", description: "The agent gets a file with it, but not its text.",
        minimumLength: 1, format: .password)
    ])
    setCaller(&request, app)
    let checkedRequest = try checked(request)
    switch await outcome(of: checkedRequest, page) {
    case .answered(.value(let value), _):
      guard let secret = value[Self.field]?.string else { return Result(text: "The secret was lost.", isError: true) }
      do {
        return Result(
          text: """
            \(try Self.save(secret))
            The user entered the secret, which is in this file. Pass the path to commands, do not print the file, and delete it when \
            you no longer need it.
            """)
      } catch {
        return Result(text: "The secret could not be saved: \(error).", isError: true)
      }
    case let outcome: return Self.result(outcome, expiry: expiry, declined: "no secret") { _ in nil }
    }
  }

  private func outcome(of request: PresentationRequest, _ page: MCPPage?) async -> FrontEndOutcome {
    guard let page, let link = try? await frontEnd.client.webLink(for: nil) else { return await frontEnd.ask(request) }
    // The page presents as soon as it is open.
    var frontEnd = frontEnd
    frontEnd.waitsForPresenter = true
    let id = UUID().uuidString
    defer { page.complete(id: id) }
    return await withTaskGroup(of: FrontEndOutcome?.self) { [frontEnd] group in
      group.addTask { await frontEnd.ask(request) }
      group.addTask { await page.isRefused(link.url, request.heading, id: id) ? .withdrawn : nil }
      defer { group.cancelAll() }
      for await outcome in group { if let outcome { return outcome } }
      return .withdrawn
    }
  }

  private static func save(_ secret: String) throws -> String {
    var path = Array((AgentFiles.directory + "/secret-XXXXXX").utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw SystemFailure() }
    defer { close(descriptor) }
    let failure = Array(secret.utf8).withUnsafeBytes { Descriptors.writeAll(descriptor, $0) }
    guard failure == nil else { throw SystemFailure() }
    return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
