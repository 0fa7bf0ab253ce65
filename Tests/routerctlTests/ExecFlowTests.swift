import Foundation
import Router
import Testing

@testable import routerctl

@Suite(.timeLimit(.minutes(10)))
struct ExecFlowTests {
  @Test func `runs the command again if it dismisses what needs an answer`() async throws {
    let mark = NSTemporaryDirectory() + "router-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: mark) }
    var request = PresentationRequest(kind: .alert, title: "?", buttons: [PresentationRequest.Button(id: "yes", label: "Yes")])
    request.dismissDisabled = true
    let presenter = ExecPresenter(name: "test", command: "if test -e '\(mark)'; then echo yes; else touch '\(mark)'; fi")
    #expect(try await presenter.present(.sample(request), waiting: 0) == .answer(.button("yes")))
  }

  @Test func `does not run the command again right after it answered a flow`() async throws {
    let request = PresentationRequest(kind: .sheet, sheet: "a", flow: true)
    let presenter = ExecPresenter(name: "test", command: #"echo '{"value":7}'"#)
    #expect(try await presenter.present(.sample(request), waiting: 0) == .answer(.value(7)))
    let again = Task { try await presenter.present(.sample(request, generation: 2), waiting: 0) }
    again.cancel()
    await #expect(throws: CancellationError.self) { try await again.value }
    #expect(try await presenter.present(.sample(request, generation: 3), waiting: 0) == .answer(.value(7)))
  }
}
