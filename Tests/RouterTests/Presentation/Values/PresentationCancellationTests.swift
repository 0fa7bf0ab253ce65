import Router
import Testing

struct PresentationCancellationTests {
  @Test func `maps each outcome without an answer to its reason`() {
    #expect(PresentationCancellation(.answered(.button("ok"))) == nil)
    #expect(PresentationCancellation(.dismissed)?.reason == .dismissed)
    #expect(PresentationCancellation(.failed("x"))?.reason == .failed("x"))
    for why in PresentationOutcome.CancellationReason.allCases {
      #expect(PresentationCancellation(.cancelled(why))?.reason == .cancelled(why))
    }
    for phase in PresentationOutcome.ExpiryPhase.allCases {
      #expect(PresentationCancellation(.expired(phase))?.reason == .expired(phase))
    }
  }

  @Test func `describes each reason distinctly and briefly`() {
    let outcomes: [PresentationOutcome] =
      [.dismissed, .failed("no display")] + PresentationOutcome.CancellationReason.allCases.map { .cancelled($0) }
      + PresentationOutcome.ExpiryPhase.allCases.map { .expired($0) }
    let texts = Set(outcomes.compactMap(PresentationCancellation.init).map(\.description))
    #expect(texts.count == outcomes.count)
    #expect(texts.allSatisfy { $0.hasPrefix("cannot ") })
    let long = PresentationCancellation(reason: .failed(String(repeating: "e\u{301}", count: 100_000)))
    #expect(long.description.unicodeScalars.count < 300)
  }
}
