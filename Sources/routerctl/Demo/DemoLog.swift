import Router
import RouterClient

/// The session's audit log as a small table.
struct DemoLog {
  let presentations: [Presentation]

  init(_ client: RouterClient) async throws {
    let page = try await client.log()["presentations"]?.array ?? []
    do {
      presentations = try page.map { try Presentation(json: $0) }.reversed()
    } catch {
      throw CommandFailure(.defect, "cannot read the log: \(error)")
    }
  }

  var table: Table {
    var table = Table(heading: ["TIME (UTC)", "KIND", "WHAT", "SHOWN", "OUTCOME", "BY"], flexible: 4)
    table.rows = presentations.map { presentation in
      let shown = presentation.resolvedAt.flatMap { end in presentation.presentedAt.map { end.duration(since: $0).brief } }
      return [
        String(presentation.requestedAt.description.dropFirst(11).prefix(8)), presentation.request.kind.rawValue,
        presentation.request.heading, shown ?? "", presentation.endText, presentation.resolvedBy?.presenter ?? "",
      ]
    }
    return table
  }
}
