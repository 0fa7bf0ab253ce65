extension RouterError {
  /// The error for the sender of a rejected input. `id` is `nil` for a request; `outcome` is set if the presentation
  /// has ended.
  package init(
    _ rejection: PresentationRejection, id: PresentationID? = nil, app: String = "", outcome: PresentationOutcome? = nil
  ) {
    let subject = id?.description ?? "the request"
    switch rejection {
    case .notOpen:
      if let outcome {
        self.init(.resolved, "cannot change \(subject): it has ended (\(outcome.name.rawValue))", outcome: outcome)
      } else {
        self.init(.notFound, "cannot find the presentation \(subject)")
      }
    case .notPresented:
      self.init(
        .notPresented,
        "cannot act on \(subject): it is queued, and no presenter shows it now; wait until one does, or cancel it")
    case .cannotRaise:
      self.init(
        .notPresented,
        "cannot raise \(subject): it waits for its requester or for the prompt that it is stacked on, or nothing may be shown now"
      )
    case .noPresenter:
      self.init(.notPresented, "cannot raise \(subject): no attached presenter may show it; start one with routerctl present")
    case .covered: self.init(.covered, "cannot act on \(subject): another presentation is stacked on it")
    case .staleGeneration(let generation):
      self.init(.staleGeneration, "cannot act on \(subject): it is now shown as generation \(generation)")
    case .invalid(let error): self.init(error)
    case .actDiffers(let act):
      self.init(
        .impossible,
        """
        cannot ask: the plain words of /act/object are not /act/argv. The object is \((act.object ?? "").shortened), the arguments \
        are \((act.commandLine ?? "").shortened). Leave one of them out
        """,
        field: "/act/argv")
    case .answerDoesNotFit(let error): self.init(error, code: .impossible)
    case .dismissDisabled:
      self.init(
        .impossible, "cannot dismiss \(subject): the request does not allow it (dismissDisabled); answer it, or let it expire")
    case .notFlow: self.init(.impossible, "cannot finish \(subject): it is not part of a flow")
    case .notAnswered: self.init(.notAnswered, "cannot finish \(subject): it has no answer yet")
    case .notApproved: self.init(.notAnswered, "cannot report on \(subject): nobody has approved it")
    case .reported: self.init(.resolved, "cannot report on \(subject): a report is on record already")
    case .unknownParent:
      self.init(
        .impossible, "cannot stack: /over must be an open presentation of the same user on the same surface",
        field: "/over")
    case .stackedTooDeep:
      self.init(
        .impossible, "cannot stack: /over is stacked as deep as allowed", field: "/over")
    case .parentIsNoFlow:
      self.init(
        .impossible, "cannot stack a flow's screen: /over is not part of a flow", field: "/over")
    case .sensitiveDetached:
      let message = "cannot detach a sensitive request: its answer goes to the requester's own connection only"
      self.init(.impossible, message, field: "/sensitive")
    case .sensitiveShared:
      self.init(
        .impossible,
        "cannot ask for a sensitive answer on a shared surface: it may not leave this host; use a surface that is not shared",
        field: "/sensitive")
    case .flowWithoutStream:
      self.init(
        .impossible, "cannot start a flow without an event stream: ask with Accept: text/event-stream", field: "/flow")
    case .flowDetached:
      self.init(.impossible, "cannot detach a flow: it ends with its requester's connection", field: "/flow")
    case .criticalForbidden:
      self.init(.forbidden, "cannot ask with priority critical: it needs the role critical", field: "/priority")
    case .selfAnswer(let rule):
      let who = rule == .user ? "the user" : "the process"
      self.init(.forbidden, "cannot let \(who) that asked also answer: the setting forbidSelfAnswer is \(rule.rawValue)")
    case .ownApproval:
      self.init(
        .forbidden, "cannot answer, raise or close \(subject): several people must answer, other than the user that asked")
    case .agentAnswer:
      self.init(
        .forbidden,
        """
        cannot let an agent answer, raise or end its own request, end its pause, or decide on rules: use a process that the agent did not start, or \
        dismiss it
        """,
        field: "/agent")
    case .approved(let count, let needed):
      self.init(.approved, "cannot act on \(subject): this user has approved it already (\(count) of \(needed))")
    case .needsApprover(let list):
      self.init(.forbidden, "cannot approve \(subject): it needs \(list.map { "a member of \($0)" } ?? "a person")")
    case .noCallbacks:
      self.init(.impossible, "cannot accept /onDismiss: callbacks are not available here", field: "/onDismiss")
    case .keyReused:
      self.init(.impossible, "cannot use this Idempotency-Key: it was used for a different request")
    case .throttled(let pause):
      let seconds = pause.remaining.wholeSeconds
      let reason =
        switch pause.cause {
        case .dismissals(let count): "you closed \(String(counting: count, "prompt")) of \(app) in a row"
        case .requests(let count): "\(app) asked \(count) times after you said no"
        }
      self.init(.full, "cannot ask: \(reason); try again in \(seconds) s", retryAfter: .seconds(seconds))
    case .attachedTooOften(let wait):
      let seconds = wait.wholeSeconds
      self.init(
        .full, "cannot attach or raise: this user did so too often; try again in \(seconds) s",
        retryAfter: .seconds(seconds))
    case .hostActsTooOften(let wait):
      let seconds = wait.wholeSeconds
      self.init(
        .full,
        "cannot do this: users of this host attach, raise, snooze or pause too often on the shared surface; try again in "
          + "\(seconds) s", retryAfter: .seconds(seconds))
    case .full(.hostBytes):
      self.init(
        .full,
        "cannot take the request: with it, this host's open prompts on the shared surface would have more than four times "
          + "limits.bytesPerUser; wait until some have ended, or send a smaller request", retryAfter: .seconds(1))
    case .full(.presenters):
      self.init(
        .full,
        "cannot attach: this host has \(PresentationQueue.mostPresentersOfHost) presenters on the shared surface; end some",
        retryAfter: .seconds(1))
    case .full(.bytes):
      self.init(
        .full,
        "cannot take the request: with it, the user's open prompts and remembered answers would have more than "
          + "limits.bytesPerUser; wait until some have ended, cancel or revoke some, or send a smaller request",
        retryAfter: .seconds(1))
    case .noGrant: self.init(.notFound, "cannot find the remembered answer: it has ended, or there is none with that id")
    case .noPause: self.init(.notFound, "cannot resume: no session is paused at that prompt, or its pause has ended")
    case .full(.grants):
      self.init(
        .full,
        "cannot remember the answer: the user has grants.perUser remembered answers, or with it would have more than "
          + "limits.bytesPerUser; revoke some")
    case .full(.settled):
      self.init(
        .full,
        "cannot take the request: rules and remembered answers have settled too many of this user's requests within a minute",
        retryAfter: .seconds(1))
    case .full(.rules):
      self.init(
        .full,
        "cannot take the request: comparing this user's requests with the rules takes too long; send fewer or shorter ones",
        retryAfter: .seconds(1))
    case .full(let scope):
      let what =
        switch scope {
        case .surface: "the surface"
        case .user, .bytes, .grants, .settled, .rules: "the user"
        case .host, .hostBytes, .presenters: "this host's share of the surface"
        case .total: "the queue"
        }
      self.init(.full, "cannot take the request: \(what) has reached its limit of open prompts", retryAfter: .seconds(1))
    }
  }
}
