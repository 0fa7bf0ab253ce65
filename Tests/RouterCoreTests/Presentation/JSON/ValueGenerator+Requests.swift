import OrderedCollections
import TestSupport

@testable import RouterCore

extension ValueGenerator {
  mutating func field(_ name: String) -> FormSchema.Property {
    var field = FormSchema.Property(
      name: name, kind: .string, title: maybe { $0.label() }, description: maybe { $0.label() }, isRequired: chance(50))
    switch below(6) {
    case 0:
      let length = maybe { $0.below(3)...(3 + $0.below(90)) }
      (field.minimumLength, field.maximumLength) = (length?.lowerBound, length?.upperBound)
      if length == nil { field.defaultValue = maybe { .string($0.label()) } }
      field.pattern = maybe { $0.pick([".*", "^l|[0-9]*"]) }
    case 1:
      field.format = .password
      field.maximumLength = maybe { 3 + $0.below(9) }
    case 2:
      field.kind = chance(50) ? .integer : .number
      guard let bound = maybe({ Double($0.below(100)) / 4 }) else { break }
      field.defaultValue = JSONValue.Number(bound.rounded()).map(JSONValue.number)
      (field.minimum, field.maximum) = (JSONValue.Number(bound - 1), JSONValue.Number(bound + 1))
    case 3:
      field.kind = .boolean
      field.defaultValue = maybe { .bool($0.chance(50)) }
    case 4:
      field.kind = .array
      let (choices, chosen) = (choices(), below(2))
      field.choices = choices
      field.defaultValue = maybe { _ in .array(Array(choices.prefix(chosen))) }
      if chance(50) { (field.minimumCount, field.maximumCount) = (0, 1) }
    default:
      let choices = choices()
      field.choices = choices
      field.defaultValue = maybe { $0.pick(choices) }
    }
    return field
  }

  /// Returns texts, numbered so that no two look the same.
  private mutating func choices() -> [JSONValue] {
    ([label()] + some(upTo: 4) { $0.label() }).enumerated().map { .string("\($0.element)\($0.offset)") }
  }

  mutating func form() -> FormSchema {
    let names = OrderedSet(some(upTo: 6) { $0.label() })
    return FormSchema(
      title: maybe { $0.label() }, description: maybe { $0.label() }, properties: names.map { field($0) })
  }

  mutating func duration() -> Duration { .milliseconds(1 + below(1_000_000_000)) }
  mutating func time() -> Timestamp { Timestamp(milliseconds: Int64(below(1 << 30)) * 4000 + Int64(below(1000))) }
  mutating func id() -> PresentationID { PresentationID(number: below(1 << 30)) }

  static let addresses = ["http+unix://%2Frun%2Fs/done", "HTTP+UNIX://%2Frun%2fs", "http+unix://%2Ftmp%2Fa%20b/x?y=%7B1"]

  /// Any request, including invalid ones.
  mutating func request() -> PresentationRequest {
    var request = PresentationRequest(kind: pick(PresentationKind.allCases), surface: name())
    request.title = maybe { $0.text() }
    request.message = maybe { $0.text() }
    request.buttons = some(upTo: 3) { generator in
      PresentationRequest.Button(
        id: generator.name(), label: generator.text(), role: generator.maybe { $0.pick(ButtonRole.allCases) },
        isDefault: generator.chance(50))
    }
    request.titleVisibility = maybe { $0.pick(PresentationRequest.TitleVisibility.allCases) }
    request.sheet = maybe { $0.name() }
    request.payload = maybe { $0.json() }
    request.schema = maybe { $0.form() }
    request.hasAnswer = chance(50)
    request.app = maybe { $0.name() }
    request.priority = pick(PresentationOptions.Priority.allCases)
    request.conflictPolicy = pick(PresentationOptions.ConflictPolicy.allCases)
    request.timeout = maybe { $0.duration() }
    request.queueTimeout = maybe { $0.duration() }
    request.shownTimeout = maybe { $0.duration() }
    request.noPresenter = pick(PresentationOptions.NoPresenterPolicy.allCases)
    request.severity = pick(PresentationOptions.Severity.allCases)
    request.dismissDisabled = chance(50)
    request.over = maybe { $0.id() }
    request.flow = chance(50)
    request.sensitive = chance(50)
    let address = pick(Self.addresses)
    request.onDismiss = chance(50) ? try? PresentationRequest.CallbackAddress(address) : nil
    request.agent = maybe { Int32(1 + $0.below(1 << 22)) }
    request.messageFormat = pick(PresentationRequest.MessageFormat.allCases)
    request.attachments = some(upTo: 2) { generator in
      PresentationRequest.Attachment(
        generator.pick(PresentationRequest.Attachment.Kind.allCases), generator.text(), title: generator.maybe { $0.text() })
    }
    for _ in 0..<below(4) { request.metadata[text()] = text() }
    return request
  }

  mutating func outcome() -> PresentationOutcome {
    switch below(7) {
    case 0: .answered(.button(name()))
    case 1: .answered(.value(json()))
    case 2: .answered(.redacted)
    case 3: .dismissed
    case 4: .cancelled(pick(PresentationOutcome.CancellationReason.allCases))
    case 5: .expired(pick(PresentationOutcome.ExpiryPhase.allCases))
    default: .failed(text())
    }
  }

  mutating func process() -> ProcessIdentity {
    ProcessIdentity(
      uid: UInt32(below(1 << 31)), gid: UInt32(below(1 << 31)), pid: Int32(below(1 << 22)), executable: maybe { $0.text() },
      executableDoubt: maybe { $0.pick(ProcessIdentity.ExecutableDoubt.allCases) }, directory: maybe { $0.text() },
      ancestry: (0..<below(3)).map { _ in
        ProcessIdentity.Ancestor(
          pid: Int32(below(1 << 22)), started: below(1 << 40), executable: maybe { $0.text() },
          executableDoubt: maybe { $0.pick(ProcessIdentity.ExecutableDoubt.allCases) }, command: maybe { $0.text() },
          script: maybe { $0.text() }, unit: maybe { $0.text() }, uid: maybe { UInt32($0.below(1 << 31)) })
      })
  }

  mutating func presentation() -> Presentation {
    let requester = Presentation.Requester(app: name(), process: process())
    var presentation = Presentation(id: id(), requester: requester, request: request(), requestedAt: time())
    presentation.state = pick(Presentation.State.allCases)
    presentation.covered = chance(50)
    presentation.position = below(100)
    presentation.generation = below(9)
    presentation.attached = chance(50)
    presentation.presentedAt = maybe { $0.time() }
    presentation.resolvedAt = maybe { $0.time() }
    presentation.outcome = maybe { $0.outcome() }
    switch presentation.outcome {
    case .answered: presentation.extra = AnswerExtra(comment: maybe { $0.text() })
    case .dismissed: presentation.extra.comment = chance(50) ? "not now" : nil
    default: break
    }
    presentation.resolvedBy = maybe { Presentation.Responder(process: $0.process(), presenter: $0.maybe { $0.text() }) }
    if chance(50) {
      let state = pick(Presentation.Callback.State.allCases)
      presentation.callback = Presentation.Callback(state: state, attempts: below(9), lastError: maybe { $0.text() })
    }
    return presentation
  }
}
