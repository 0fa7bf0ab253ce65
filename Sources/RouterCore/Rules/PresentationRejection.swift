/// The reason for a rejected input, worded for its sender.
package struct PresentationRejection: Error, Sendable, Hashable {
  let code: RouterError.Code
  /// The message, or its part before the presentation's id.
  private let text: String
  /// The part after the id; `nil` if the message has no id.
  private let rest: String?
  package let field: String?
  let retryAfter: Duration?

  private init(
    _ code: RouterError.Code, _ text: String, _ rest: String? = nil, field: String? = nil, retryAfter: Duration? = nil
  ) {
    (self.code, self.text, self.rest, self.field, self.retryAfter) = (code, text, rest, field, retryAfter)
  }

  /// - Parameter subject: The presentation's id, or `the request`.
  func message(about subject: String) -> String { rest.map { "\(text) \(subject)\($0)" } ?? text }
}

// MARK: Presentations

extension PresentationRejection {
  /// No open presentation has this id, or it belongs to another user.
  package static let notOpen = Self(.notFound, "cannot find the prompt", "")
  package static let notPresented = Self(
    .notPresented, "cannot act on", ": it is queued, and no presenter shows it now; wait until one does, or cancel it")
  package static let covered = Self(.covered, "cannot act on", ": another prompt is stacked on it")

  package static func staleGeneration(_ current: Int) -> Self {
    Self(.staleGeneration, "cannot act on", ": it is now shown as generation \(current)")
  }

  package static let cannotRaise = Self(
    .notPresented, "cannot raise",
    ": it waits for its requester or for the prompt that it is stacked on, or nothing may be shown now")
  package static let noPresenter = Self(
    .notPresented, "cannot raise", ": no attached presenter may show it; start one with routerctl present")

  /// The answer, or the snooze's end, is invalid for the request.
  package static func answerDoesNotFit(_ error: JSONError) -> Self { invalid(error, .impossible) }

  package static let dismissDisabled = Self(
    .impossible, "cannot dismiss", ": the request does not allow it (dismissDisabled); answer it, or let it expire")
  package static let notFlow = Self(.impossible, "cannot finish", ": it is not part of a flow")
  package static let notAnswered = Self(.notAnswered, "cannot finish", ": it has no answer yet")
  package static let notApproved = Self(.notAnswered, "cannot report on", ": nobody has approved it")
  /// The result of the act is already recorded, or is being recorded.
  package static let reported = Self(.resolved, "cannot report on", ": a report is on record already")
  package static let noGrant = Self(.notFound, "cannot find the remembered answer: it has ended, or there is none with that id")
  package static let noPause = Self(
    .notFound, "cannot resume: no session is paused at that prompt, or its pause has ended")
}

// MARK: People and agents

extension PresentationRejection {
  package static func selfAnswer(_ rule: SelfAnswerRule) -> Self {
    let who = rule == .user ? "the user" : "the process"
    return Self(.forbidden, "cannot let \(who) that asked also answer: the setting forbidSelfAnswer is \(rule.rawValue)")
  }

  /// The agent that asked, or one of its descendants, tried to answer or end the request.
  package static let agentAnswer = Self(
    .forbidden,
    "cannot let an agent answer, raise or end its own request, end its pause, or decide on rules: use a process that the agent "
      + "did not start, or dismiss it", field: "/agent")
  /// An agent, or one of its descendants, tried to switch Router off.
  package static let agentSwitch = Self(
    .forbidden, "cannot let an agent switch Router off or on: use a process that no agent of the last day started",
    field: "/agent")
  package static let ownApproval = Self(
    .forbidden, "cannot answer, raise or close", ": several people must answer, other than the user that asked")

  /// This person has already approved the request.
  package static func approved(_ count: Int, of needed: Int) -> Self {
    Self(.approved, "cannot act on", ": this user has approved it already (\(count) of \(needed))")
  }

  /// - Parameter list: The list of approvers; `nil` if a program tried to approve.
  package static func needsApprover(_ list: String?) -> Self {
    Self(.forbidden, "cannot approve", ": it needs \(list.map { "a member of \($0)" } ?? "a person")")
  }
}

// MARK: Requests

extension PresentationRejection {
  package static func invalid(_ error: JSONError) -> Self { invalid(error, .invalid) }

  private static func invalid(_ error: JSONError, _ code: RouterError.Code) -> Self {
    let error = RouterError(error, code: code)
    return Self(error.code, error.message, field: error.field)
  }

  /// The act's object is a different command than its arguments.
  package static func actDiffers(_ act: Act) -> Self {
    Self(
      .impossible,
      """
      cannot ask: the plain words of /act/object are not /act/argv. The object is \((act.object ?? "").shortened), the arguments \
      are \((act.commandLine ?? "").shortened). Leave one of them out
      """,
      field: "/act/argv")
  }

  package static let unknownParent = Self(
    .impossible, "cannot stack: /over must be an open prompt of the same user on the same surface", field: "/over")
  package static let stackedTooDeep = Self(
    .impossible, "cannot stack: /over is stacked as deep as allowed", field: "/over")
  package static let parentIsNoFlow = Self(
    .impossible, "cannot stack a flow's screen: /over is not part of a flow", field: "/over")
  package static let sensitiveDetached = Self(
    .impossible, "cannot detach a sensitive request: its answer goes to the requester's own connection only",
    field: "/sensitive")
  package static let sensitiveShared = Self(
    .impossible,
    "cannot ask for a sensitive answer on a shared surface: it may not leave this host; use a surface that is not shared",
    field: "/sensitive")
  package static let flowWithoutStream = Self(
    .impossible, "cannot start a flow without an event stream: ask with Accept: text/event-stream", field: "/flow")
  package static let flowDetached = Self(
    .impossible, "cannot detach a flow: it ends with its requester's connection", field: "/flow")
  package static let criticalForbidden = Self(
    .forbidden, "cannot ask with priority critical: it needs the role critical", field: "/priority")
  package static let noCallbacks = Self(
    .impossible, "cannot accept /onDismiss: callbacks are not available here", field: "/onDismiss")
  package static let keyReused = Self(
    .impossible, "cannot use this Idempotency-Key: it was used for a different request")
}

// MARK: Limits

extension PresentationRejection {
  /// The requester was refused too often in a row.
  package static func throttled(_ pause: DismissalBackoff.Delay, app: String = "") -> Self {
    let reason =
      switch pause.cause {
      case .dismissals(let count): "you closed \(String(counting: count, "prompt")) of \(app) in a row"
      case .requests(let count): "\(app) asked \(count) times after you said no"
      }
    return full("cannot ask: \(reason)", for: pause.remaining)
  }

  /// The user attached presenters, or raised prompts, too often.
  package static func attachedTooOften(_ wait: Duration) -> Self {
    full("cannot attach or raise: this user did so too often", for: wait)
  }

  /// The host caused too many events by repeatable inputs.
  package static func hostActsTooOften(_ wait: Duration) -> Self {
    full("cannot do this: users of this host attach, raise, snooze or pause too often on the shared surface", for: wait)
  }

  private static func full(_ text: String, for wait: Duration) -> Self {
    let seconds = wait.wholeSeconds
    return Self(.full, "\(text); try again in \(seconds) s", retryAfter: .seconds(seconds))
  }

  package static func full(_ limit: Limit) -> Self {
    Self(.full, limit.text, retryAfter: limit == .grants ? nil : .seconds(1))
  }

  package enum Limit: String, Sendable, Hashable, CaseIterable {
    case surface, user, host, total
    /// The number of a user's grants.
    case grants
    /// The number of a user's requests per minute that grants answer.
    case settled
    /// The size of a user's requests.
    case bytes
    /// The size of a host's requests on a shared surface.
    case hostBytes
    /// The number of a host's presenters on a shared surface.
    case presenters
    /// The evaluation cost of a user's requests for the rules.
    case rules

    fileprivate var text: String {
      switch self {
      case .surface: "cannot take the request: the surface has reached its limit of open prompts"
      case .user: "cannot take the request: the user has reached its limit of open prompts"
      case .host: "cannot take the request: this host's share of the surface has reached its limit of open prompts"
      case .total: "cannot take the request: the queue has reached its limit of open prompts"
      case .grants:
        "cannot remember the answer: the user has grants.perUser remembered answers, or with it would have more than "
          + "limits.bytesPerUser; revoke some"
      case .settled:
        "cannot take the request: rules and remembered answers have settled too many of this user's requests within a minute"
      case .bytes:
        "cannot take the request: with it, the user's open prompts and remembered answers would have more than "
          + "limits.bytesPerUser; wait until some have ended, cancel or revoke some, or send a smaller request"
      case .hostBytes:
        "cannot take the request: with it, this host's open prompts on the shared surface would have more than four times "
          + "limits.bytesPerUser; wait until some have ended, or send a smaller request"
      case .presenters:
        "cannot attach: this host has \(PresentationSurfaces.mostPresentersOfHost) presenters on the shared surface; end some"
      case .rules:
        "cannot take the request: comparing this user's requests with the rules takes too long; send fewer or shorter ones"
      }
    }
  }
}

extension RouterError {
  /// Creates the error for the sender of a rejected input. `id` is `nil` for a request; `outcome` is set if the presentation
  /// has ended.
  package init(_ rejection: PresentationRejection, id: PresentationID? = nil, outcome: PresentationOutcome? = nil) {
    let subject = id?.description ?? "the request"
    if rejection == .notOpen, let outcome {
      self.init(.resolved, "cannot change \(subject): it has ended (\(outcome.name.rawValue))", outcome: outcome)
    } else {
      self.init(
        rejection.code, rejection.message(about: subject), field: rejection.field, retryAfter: rejection.retryAfter)
    }
  }
}
