import ArgumentParser
import Router
import Testing

@testable import RouterCore
@testable import routerctl

struct OptionErrorTests {
  private func message(_ request: PresentationRequest, _ button: (PresentationRequest.Button) -> String = \.option) -> String? {
    do {
      _ = try request.normalized()
      return nil
    } catch {
      return RouterError(error).naming(request, button).message
    }
  }

  @Test func `names the option in place of a JSON Pointer`() throws {
    let long = String(repeating: "x", count: 2000)
    let confirm = try Confirm.parse(["?", "--no", long])
    #expect(message(confirm.request) { "--\($0.id)" }?.hasPrefix("cannot accept --no: ") == true)
    let alert = try Alert.parse(["?", "--destructive", "a=\(long)"]).request()
    #expect(message(alert)?.hasPrefix("cannot accept --destructive: ") == true)
    let metadata = try Confirm.parse(["?", "--metadata", "\(long)=1"]).request
    #expect(message(metadata)?.hasPrefix("cannot accept --metadata: ") == true)
    #expect(message(try Confirm.parse([" "]).request) == "cannot accept the title: must not be empty")
  }

  @Test func `endings are words, with the time and the presenter`() {
    func text(_ outcome: PresentationOutcome, presenter: String? = nil, after time: Duration = .seconds(2)) -> String {
      let process = ProcessIdentity(uid: 1, gid: 1, pid: 1)
      let at = Timestamp(milliseconds: 0)
      return Presentation(
        id: PresentationID("01a1fdb6-ea24-7114-b4fd-98d4271e7c7c")!, state: .resolved,
        requester: Presentation.Requester(app: "a", process: process), request: PresentationRequest(kind: .alert, title: "?"),
        requestedAt: at, resolvedAt: at.advanced(by: time), outcome: outcome,
        resolvedBy: presenter.map { Presentation.Responder(process: process, presenter: $0) }
      ).endText
    }
    #expect(text(.cancelled(.requester)) == "cancelled")
    #expect(text(.cancelled(.noPresenter)) == "nobody was there to ask")
    #expect(text(.expired(.queued)) == "nobody saw it within 2 s")
    #expect(text(.expired(.queued), after: .milliseconds(204)) == "nobody saw it within 0.2 s")
    #expect(text(.expired(.presented), after: .milliseconds(1_500)) == "nobody answered within 1.5 s")
    #expect(text(.failed("no display"), presenter: "zenity") == "zenity could not show it (no display)")
  }
}
