import Router

/// The surfaces of one test. On a daemon that tests share, their names end with a number.
struct TestSurfaces: Sendable {
  private static let count = Mutex(0)
  private let suffix: String

  /// The surfaces of a broker that no other test uses.
  static let named = TestSurfaces(suffix: "")

  private init(suffix: String) { self.suffix = suffix }

  init() {
    self.init(
      suffix: Self.count.withLock { count in
        count += 1
        return "-\(count)"
      })
  }

  /// The name that the broker knows. A test may also use that name, which it reads in a presentation.
  subscript(name: String) -> String { name.hasSuffix(suffix) ? name : name + suffix }

  func moving(_ request: PresentationRequest) -> PresentationRequest {
    var request = request
    request.surface = self[request.surface]
    return request
  }
}

/// A broker on which the names of surfaces are those of one test.
struct SurfaceBroker: ForwardingBroker {
  let broker: any PresentationBroker
  let surfaces: TestSurfaces

  func submit(_ request: PresentationRequest, onDismiss: (@Sendable () async -> Void)?) -> PresentationHandle {
    broker.submit(surfaces.moving(request), onDismiss: onDismiss)
  }

  func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    broker.attach(presenter: name, to: surfaces[surface])
  }

  func presentations(surface: String?) async throws -> [Presentation] {
    try await broker.presentations(surface: surface.map { surfaces[$0] })
  }
}
