import RouterCore
import Testing

struct NoAnswerTests {
  @Test func `maps each outcome without an answer to its reason`() {
    #expect(NoAnswer(.answered(.button("ok"))) == nil)
    #expect(NoAnswer(.dismissed) == .dismissed)
    #expect(NoAnswer(.failed("x")) == .failed("x"))
    for why in PresentationOutcome.CancellationReason.allCases {
      #expect(NoAnswer(.cancelled(why)) == .cancelled(why))
    }
    for phase in PresentationOutcome.ExpiryPhase.allCases {
      #expect(NoAnswer(.expired(phase)) == .expired(phase))
    }
  }

  @Test func `describes each reason distinctly and briefly`() {
    let outcomes: [PresentationOutcome] =
      [.dismissed, .failed("no display")] + PresentationOutcome.CancellationReason.allCases.map { .cancelled($0) }
      + PresentationOutcome.ExpiryPhase.allCases.map { .expired($0) }
    let texts = Set(outcomes.compactMap(NoAnswer.init).map(\.description))
    #expect(texts.count == outcomes.count)
    #expect(texts.allSatisfy { $0.hasPrefix("cannot ") })
    let long = NoAnswer.failed(String(repeating: "e\u{301}", count: 100_000))
    #expect(long.description.unicodeScalars.count < 300)
  }
}
