import OrderedCollections
import Router
import Testing

@testable import routerctl

/// What `routerctl run` passes to a command, and how it reads a script's first line.
/// Promise P48.
struct RunEnvironmentTests {
  private func make(_ all: [String], named: [String] = [], passesAll: Bool = false) throws -> (
    entries: [String], shown: [String]
  ) {
    let environment = try RunEnvironment(
      all.map { Array($0.utf8) }, named: named, passesAll: passesAll, account: Self.account)
    return (
      environment.entries.map { String(decoding: $0, as: UTF8.self) }.sorted(), environment.shown.map { "\($0)=\($1)" }.sorted()
    )
  }

  private static let account = RunEnvironment.Account(
    uid: 7, entry: AccountNames.Entry(name: "ada", gid: 7, home: "/h", shell: "/bin/sh"))

  @Test(
    arguments: [
      ("HOME=/h", "HOME=/evil"), ("SHELL=/bin/sh", "SHELL=/evil"), ("USER=ada", "USER=root"), ("LOGNAME=ada", "LOGNAME=root"),
      ("XDG_RUNTIME_DIR=/run/user/7", "XDG_RUNTIME_DIR=/run/user/8"), ("LANG=de_DE.UTF-8", "LANG=/evil"),
      ("LC_ALL=C", "LC_ALL=../evil"), ("TERM=xterm", "TERM=./evil"), ("TZ=Europe/Berlin", "TZ=:/evil"), ("TZ=", "TZ=a/../evil"),
      ("DISPLAY=:0", "DISPLAY=evil:0"), ("WAYLAND_DISPLAY=wayland-0", "WAYLAND_DISPLAY=/evil"),
    ])
  func `shows a variable that leads elsewhere than the account says`(usual: String, other: String) throws {
    #expect(try make([usual]) == ([usual], []))
    #expect(try make([other]) == ([other], [other]))
  }

  @Test func `passes the list and what is named, and shows PATH and what is named`() throws {
    let all = ["HOME=/h", "PATH=/bin", "LD_PRELOAD=/x", "LC_TIME=C", "A=1", "A=2", "broken", "USER=ada"]
    let plain = try make(all)
    #expect(plain.entries == ["HOME=/h", "LC_TIME=C", "PATH=/bin", "USER=ada"] && plain.shown == ["PATH=/bin"])
    let named = try make(all, named: ["A", "HOME", "B=x=y", "PATH=/opt"])
    #expect(named.entries == ["A=1", "B=x=y", "HOME=/h", "LC_TIME=C", "PATH=/opt", "USER=ada"])
    #expect(named.shown == ["A=1", "B=x=y", "HOME=/h", "PATH=/opt"])
    let passed = try make(all, passesAll: true)
    #expect(passed.entries.contains("LD_PRELOAD=/x") && passed.shown == ["A=1", "LD_PRELOAD=/x", "PATH=/bin"])
  }

  @Test func `refuses variables that cannot be shown`() throws {
    for (named, message) in [("MISSING", "it is not set"), ("=x", "the name is missing")] {
      let failure = #expect(throws: RunFailure.self) { try make([], named: [named]) }
      #expect(failure?.status == .failed && failure?.message.contains(message) == true)
    }
    #expect(throws: RunFailure.self) { try make((0..<65).map { "V\($0)=" }, passesAll: true) }
    #expect(throws: RunFailure.self) { try RunEnvironment([Array("PATH=/".utf8) + [0xFF]]) }
    // It is passed on as it is, and not shown.
    #expect(try RunEnvironment([Array("LANG=".utf8) + [0xFF]]).entries == [Array("LANG=".utf8) + [0xFF]])
  }

  @Test(
    arguments: [
      ("#!/bin/sh\n", "/bin/sh", nil, ["/bin/sh"]), ("#! /bin/sh  -e -x \nx", "/bin/sh", "-e -x", ["/bin/sh", "-e -x"]),
      ("#!/usr/bin/awk -f\n", "/usr/bin/awk", "-f", ["/usr/bin/awk", "-f"]),
      ("#!/bin/bash --posix", "/bin/bash", "--posix", ["/bin/bash", "--posix"]),
      ("#!/usr/bin/env python3\n", "/usr/bin/env", "python3", ["python3"]),
      ("#!/usr/bin/env -S perl -w -T\n", "/usr/bin/env", "-S perl -w -T", ["perl", "-w", "-T"]),
      ("#!/usr/bin/env -S a b\n", "/usr/bin/env", "-S a b", nil), ("#!/usr/bin/env a b\n", "/usr/bin/env", "a b", nil),
      ("#!/usr/bin/env -Sa\n", "/usr/bin/env", "-Sa", nil), ("#!/usr/bin/env -vS a\n", "/usr/bin/env", "-vS a", nil),
      ("#!/usr/bin/env --split-string=a\n", "/usr/bin/env", "--split-string=a", nil),
      ("#!/usr/bin/env -S 'a b'\n", "/usr/bin/env", "-S 'a b'", nil),
      ("#!/usr/bin/env -S ${X}\n", "/usr/bin/env", "-S ${X}", nil),
      ("#!/usr/bin/env -S -u X a\n", "/usr/bin/env", "-S -u X a", nil), ("#!/usr/bin/env -S\n", "/usr/bin/env", "-S", nil),
      ("#!/usr/bin/env\n", "/usr/bin/env", nil, nil), ("#!/opt/env x=1 y\n", "/opt/env", "x=1 y", nil),
      ("#!/usr/bin/env A=1\n", "/usr/bin/env", "A=1", nil), ("#!sh", "sh", nil, ["sh"]),
      ("#!/usr/bin/nice tool\n", "/usr/bin/nice", "tool", nil), ("#!/usr/bin/nice -n 5 x\n", "/usr/bin/nice", "-n 5 x", nil),
      ("#!/usr/bin/python3 helper.py\n", "/usr/bin/python3", "helper.py", nil),
      ("#!/bin/bash --rcfile=x\n", "/bin/bash", "--rcfile=x", nil), ("#!/bin/x -/y\n", "/bin/x", "-/y", nil),
    ] as [(String, String, String?, [String]?)])
  func `reads a script's first line as the kernel does, and knows what it runs`(
    text: String, interpreter: String, argument: String?, command: [String]?
  ) throws {
    let line = try #require(ScriptLine(Array(text.utf8)))
    #expect(line.interpreter == interpreter && line.argument == argument && line.command == command)
  }

  @Test(arguments: ["", "\u{7F}ELF", "#!\n", "#!  \n", "# !/bin/sh"]) func `finds no script`(text: String) {
    #expect(ScriptLine(Array(text.utf8)) == nil)
  }
}
