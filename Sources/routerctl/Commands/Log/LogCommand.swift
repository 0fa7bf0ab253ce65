import ArgumentParser

struct LogCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Query the audit log of prompts and outcomes.",
    usage: """
      routerctl log [<options of list>]
      routerctl log <subcommand>
      """,
    discussion: """
      Lists prompts by default; `routerctl help log list` shows all filters and formats.

      EXAMPLES
        routerctl log --since today
        routerctl log -n 20 --outcome expired,cancelled
        routerctl log --app deploy --since 2026-11-21 --until '2026-11-21 12:00'
        routerctl log --follow
        routerctl log --json | jq -r 'select(.outcome.type == "failed") | .request.title'
        routerctl log --csv --since 1w > week.csv
        routerctl log --search 'production "roll back" deplo*'
        routerctl log show 5f0c1a2b
        routerctl log stats --since 1w --by day
        routerctl log verify
      """,
    subcommands: [
      LogList.self, LogShow.self, LogStats.self, LogExport.self, LogVerify.self, LogHead.self, LogAnchor.self,
      LogForward.self, LogPrune.self, LogBackup.self, LogReindex.self,
    ],
    defaultSubcommand: LogList.self)
}
