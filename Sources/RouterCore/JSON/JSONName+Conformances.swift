// The enumerations whose cases have names on the wire.

extension AnswerKind: JSONName {
  package static var schemaName: String? { "AnswerKind" }
  package static var about: String {
    "no: the cancel button. yes: the one button beside it. other: one of several buttons, or a value."
  }
}

extension AuditEvent.Kind: JSONName {
  package static var schemaName: String? { "EventType" }
  package static var about: String {
    "withdrawn: `reason` snoozed has `until` and `by`. deferred: a waiting one is not shown before `until`. woken: a snooze has ended, by a person or because its time came. granted: an answer is remembered; `detail` has the grant, and the end of the presentation follows. revoked: `grant` was ended early, `by` a person or because its process is gone. paused: the prompts of its session wait `until` a time. resumed: the pause made at `pause` was ended early. rulesLoaded: the rules of `text` are in force. switched: Router was switched `off` or on. presented: each of `presenters` has its `only`, `after` and `priority`, and so has presenterAttached. If a remembered answer, a rule or the answer to another presentation ended a presentation, the end has `because`. ran: the requester's report of the result of the approved act."
  }
}

extension ButtonRole: JSONName {
  package static var schemaName: String? { "ButtonRole" }
  package static var about: String {
    "How a button looks and which key presses it. Every button is an answer."
  }
}

extension FormSchema.Property.Format: JSONName {
  package static var schemaName: String? { "FormPropertyFormat" }
}

extension FormSchema.Property.Kind: JSONName {
  package static var schemaName: String? { "FormPropertyType" }
}

extension Presentation.Callback.State: JSONName {
  package static var schemaName: String? { "CallbackStateName" }
}

extension Presentation.State: JSONName {
  package static var schemaName: String? { "PresentationState" }
}

extension Presentation.Withdrawal: JSONName {
  package static var schemaName: String? { "WithdrawalReason" }
}

extension PresentationKind: JSONName {
  package static var schemaName: String? { "PresentationKind" }
}

extension PresentationOptions.ConflictPolicy: JSONName {
  package static var schemaName: String? { "ConflictPolicy" }
  package static var about: String {
    "What to do if the surface is occupied. enqueue: wait. cancelNew: end at once as cancelled, busy. cancelPrevious: supersede the shown presentation, if it belongs to the same uid or the caller is an administrator."
  }
}

extension PresentationOptions.NoPresenterPolicy: JSONName {
  package static var schemaName: String? { "NoPresenterPolicy" }
  package static var about: String {
    "What to do if no attached presenter may show it when it arrives. fail: end at once as cancelled, noPresenter. waitUnlessOff: wait. While Router is switched off, fail and waitUnlessOff end as cancelled, off."
  }
}

extension PresentationOptions.Priority: JSONName {
  package static var schemaName: String? { "PresentationPriority" }
  package static var about: String {
    "Queue priority. Within a priority users take turns, and each user's own prompts are first in, first out. `critical` requires the role critical, else 403."
  }
}

extension PresentationOptions.Severity: JSONName {
  package static var schemaName: String? { "Severity" }
  package static var about: String {
    "The severity that presenters show. It does not change the queue position."
  }
}

extension PresentationOutcome.CancellationReason: JSONName {
  package static var schemaName: String? { "CancellationReason" }
  package static var about: String {
    "requester: the requester cancelled it. requesterGone: its connection was lost. superseded: another replaced it. busy: the surface was occupied. parentEnded: the presentation below it ended. noPresenter: no presenter was attached. off: Router was switched off. admin: an administrator cancelled it. refused: a rule denies it, and it has no cancel button. interrupted: the daemon stopped."
  }
}

extension PresentationOutcome.ExpiryPhase: JSONName {
  package static var schemaName: String? { "ExpiryPhase" }
}

extension PresentationOutcome.Name: JSONName {
  package static var schemaName: String? { "OutcomeName" }
}

extension PresentationRequest.Attachment.Kind: JSONName {}
extension PresentationRequest.MessageFormat: JSONName {}
extension PresentationRequest.Remember.Match: JSONName {
  package static var schemaName: String? { "RememberMatch" }
  package static var about: String {
    "The later acts that the answer covers. exact: equal acts. prefix: commands of the same program and subcommand, with the same directory, environment and files, if the subcommand and all of the options are known to only read. under: acts of the same verb whose object is a path below the directory. verb: acts of the same verb in the same directory, if the setting grants.verbs has the verb."
  }
}

extension PresentationRequest.TitleVisibility: JSONName {
  package static var schemaName: String? { "TitleVisibility" }
  package static var about: String {
    "Whether a confirmation dialog shows its title."
  }
}

extension ProcessIdentity.ExecutableDoubt: JSONName {
  package static var schemaName: String? { "ExecutableDoubt" }
  package static var about: String {
    "Why the path may not name the program that connected; absent without a known reason. otherNamespace: in the daemon's mount namespace, the path names another file or none. deleted: the file was deleted or replaced since. later: executed after connecting, or a set-user-ID or set-group-ID program without its rights at connect time."
  }
}

extension PromptDescription.Block.Kind: JSONName {}
extension PromptDescription.Field.Control: JSONName {
  package static var schemaName: String? { "PromptControl" }
}

extension PromptDescription.Run.Style: JSONName {}
extension WithdrawalReason: JSONName {}
