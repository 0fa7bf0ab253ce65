package import RouterCore

extension PresentationAsk {
  /// An alert with the button `ok`.
  package init(_ id: PresentationID, uid: UInt32 = 1, over parent: PresentationID? = nil, surface: String = "main") {
    self.init(
      id: id,
      valid: ValidRequest(unchecked: PresentationRequest(kind: .alert, title: "Proceed?", surface: surface, over: parent)),
      requester: Presentation.Requester(app: "test", process: ProcessIdentity(uid: uid, gid: uid, pid: 1)))
  }

  /// Makes it a flow's root or screen: a sheet that accepts any value.
  package mutating func makeFlow() {
    makeSheet()
    draft.flow = true
  }

  /// Makes it a sheet that accepts any value.
  package mutating func makeSheet() {
    draft.kind = .sheet
    draft.title = nil
  }

  /// Sets the key `text` for a request with the hash `hash`.
  package mutating func useKey(_ text: String, hash: UInt8 = 1) {
    key = IdempotencyKey(text: text, requestHash: [hash])
  }

  /// The request, before it is checked.
  package var draft: PresentationRequest {
    get { request }
    set { valid = ValidRequest(unchecked: newValue) }
  }

  /// A copy with a checked request, as the coordinator makes it.
  package func checked() throws(PresentationRejection) -> PresentationAsk {
    var copy = self
    do { copy.valid = try ValidRequest(request) } catch { throw .invalid(error) }
    return copy
  }

  package var uid: UInt32 { requester.process.uid }
}

extension PresentationRequest {
  /// An alert with the buttons `yes` and `no`.
  package static func alert(_ title: String, over: PresentationID? = nil) -> PresentationRequest {
    PresentationRequest(
      kind: .alert, title: title,
      buttons: [Button(id: "yes", label: "Yes"), Button(id: "no", label: "No", role: .cancel)],
      over: over)
  }

  /// A valid answer to the tests' requests.
  package var fittingAnswer: PresentationAnswer { kind.hasButtons ? .button("ok") : .value("ok") }
}

extension Presentation.Responder {
  package static func user(_ uid: UInt32) -> Presentation.Responder {
    Presentation.Responder(process: ProcessIdentity(uid: uid, gid: uid, pid: 1))
  }
}

extension PresenterIdentity {
  /// A presenter named `p` and its number.
  package init(_ number: Int) {
    self.init(
      name: "p\(number)", process: ProcessIdentity(uid: 1, gid: 1, pid: Int32(number)),
      since: Timestamp(milliseconds: 0))
  }
}

extension Moment {
  /// A moment at boot time `time`, with a wall clock that runs in step.
  package init(_ time: Duration) {
    self.init(boot: time, wall: Timestamp(milliseconds: 1_780_000_000_000).advanced(by: time))
  }
}
