import OrderedCollections

@testable import Router

extension ValueGenerator {
  mutating func field(_ name: String) -> FormState.Field {
    let (title, description, isRequired) = (maybe { $0.label() }, maybe { $0.label() }, chance(50))
    switch below(5) {
    case 0:
      let length = maybe { $0.below(3)...(3 + $0.below(90)) }
      return .text(
        TextField(
          title, name: name, description: description, isRequired: isRequired,
          default: length == nil ? maybe { $0.label() } : nil, length: length, pattern: maybe { $0.pick([".*", "^l|[0-9]*"]) }))
    case 1:
      return .secure(
        SecureField(
          title, name: name, description: description, isRequired: isRequired, length: maybe { $0.below(3)...(3 + $0.below(9)) }
        ))
    case 2:
      let bounds = maybe { Double($0.below(100)) / 4 }
      return .number(
        NumberField(
          title, name: name, description: description, isRequired: isRequired, isWhole: chance(50),
          default: bounds.map { $0.rounded() }, minimum: bounds.map { $0 - 1 }, maximum: bounds.map { $0 + 1 }))
    case 3:
      return .toggle(
        Toggle(title, name: name, description: description, isRequired: isRequired, default: maybe { $0.chance(50) }))
    default:
      let choices = Array(OrderedSet([label()] + some(upTo: 4) { $0.label() }))
      return .picker(
        Picker(
          title, name: name, description: description, isRequired: isRequired, choices: choices,
          default: maybe { $0.pick(choices) }))
    }
  }

  mutating func form() -> FormState {
    let names = OrderedSet(some(upTo: 6) { $0.label() })
    return FormState(maybe { $0.label() }, description: maybe { $0.label() }) { names.map { field($0) } }
  }

  mutating func duration() -> Duration { .milliseconds(1 + below(1_000_000_000)) }
  mutating func time() -> Timestamp { Timestamp(milliseconds: Int64(below(1 << 30)) * 4000 + Int64(below(1000))) }
  mutating func id() -> PresentationID { PresentationIDGenerator().next(at: time()) }

  /// Any request, also such as would be refused.
  mutating func request() -> PresentationRequest {
    PresentationRequest(
      kind: pick(PresentationKind.allCases), title: maybe { $0.text() }, message: maybe { $0.text() },
      buttons: some(upTo: 3) {
        PresentationButton(id: $0.name(), label: $0.text(), role: $0.maybe { $0.pick(ButtonRole.allCases) })
      },
      titleVisibility: maybe { $0.pick(TitleVisibility.allCases) }, sheet: maybe { $0.name() },
      payload: maybe { $0.json() }, schema: maybe { $0.form().schema }, app: maybe { $0.name() }, surface: name(),
      priority: pick(PresentationPriority.allCases), conflictPolicy: pick(ConflictPolicy.allCases),
      timeout: maybe { $0.duration() }, queueTimeout: maybe { $0.duration() }, shownTimeout: maybe { $0.duration() },
      noPresenter: pick(NoPresenterPolicy.allCases), over: maybe { $0.id() }, sensitive: chance(50),
      metadata: OrderedDictionary(some(upTo: 3) { ($0.text(), $0.text()) }, uniquingKeysWith: { first, _ in first }))
  }

  mutating func outcome() -> PresentationOutcome {
    switch below(7) {
    case 0: .answered(.button(name()))
    case 1: .answered(.value(json()))
    case 2: .answered(.redacted)
    case 3: .dismissed
    case 4: .cancelled(pick(CancellationReason.allCases))
    case 5: .expired(pick(ExpiryPhase.allCases))
    default: .failed(text())
    }
  }

  mutating func process() -> ProcessIdentity {
    ProcessIdentity(
      uid: UInt32(below(1 << 31)), gid: UInt32(below(1 << 31)), pid: Int32(below(1 << 22)), executable: maybe { $0.text() })
  }

  mutating func presentation() -> Presentation {
    Presentation(
      id: id(), state: pick(Presentation.State.allCases), covered: chance(50), position: below(100), generation: below(9),
      attached: chance(50), requester: Requester(app: name(), process: process()), request: request(),
      requestedAt: time(), presentedAt: maybe { $0.time() }, resolvedAt: maybe { $0.time() },
      outcome: maybe { $0.outcome() },
      resolvedBy: maybe { Resolver(process: $0.process(), presenter: $0.maybe { $0.text() }) },
      callback: maybe {
        CallbackState(state: $0.pick(CallbackState.State.allCases), attempts: $0.below(9), lastError: $0.maybe { $0.text() })
      })
  }
}
