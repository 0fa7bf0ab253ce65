import OrderedCollections
import Router
import RouterTesting
import Testing

/// One answer to several prompts that are alike.
@Suite(.timeLimit(.minutes(10)))
struct BatchBehaviorTests {
  private func deploy(_ object: String) -> PresentationRequest {
    var request = PresentationRequest.alert("Deploy \(object)?")
    request.act = Act("deploy", object: object)
    return request
  }

  @Test(arguments: Place.allCases)
  func `gives each its own outcome at the same time, and leaves alone one that has ended`(place: Place) async throws {
    try await place.run { host in
      var events = host.attach("desk", PresenterScope()).events.makeAsyncIterator()
      let attachment = host.attach("test", PresenterScope())
      var ids: [PresentationID] = []
      for number in 0..<7 { ids.append(try await host.detach(deploy("host\(number)")).id) }
      var shown: Presentation?
      while shown == nil, let event = try await events.next() {
        if case .present(let presentation, _) = event { shown = presentation }
      }
      let first = try #require(shown)
      try await host.withdraw(ids[3])
      var extra = AnswerExtra()
      for (number, id) in ids.enumerated().dropFirst() { extra.also[id] = Act("deploy", object: "host\(number)").digest }
      _ = try await attachment.respond(first.id, first.generation, PresenterResponse(.button("yes"), extra))

      var times: Set<Timestamp> = []
      for (number, id) in ids.enumerated() {
        let ended = try #require(try await host.reader.events(of: id).last { $0.kind == .answered || $0.kind == .cancelled })
        #expect(ended.kind == (number == 3 ? .cancelled : .answered))
        #expect(ended.detail["because"]?["with"] == ([0, 3].contains(number) ? nil : .string(first.id.description)))
        if number != 3 { times.insert(ended.at) }
      }
      #expect(times.count == 1)
      try await host.eventuallyTold("all have ended") { try await host.open().isEmpty }
      #expect(try await host.reader.verify().fault == nil)
    }
  }
}
