# Promise P85.
"""`routerctl agent install`, `uninstall` and `doctor` with a temporary home directory."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from agents import ROUTERCTL, Daemon, Presenter


class SetupTests(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="router-home-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.project = self.home / "project"
        self.project.mkdir()
        self.settings = self.home / ".claude" / "settings.json"

    def routerctl(self, *arguments, status=0, **variables):
        environment = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "ROUTERD_SOCKET": str(self.home / "none"),
                       "XDG_RUNTIME_DIR": str(self.home), **variables}
        done = subprocess.run(
            [ROUTERCTL, "agent", *arguments], cwd=self.project, env=environment, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_install_prints_its_changes_and_uninstall_reverts_them(self):
        self.settings.parent.mkdir()
        before = json.dumps({"model": "x", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "beep"}]}]}}, indent=2)
        self.settings.write_text(before + "\n")
        told = self.routerctl("install", "claude")
        self.assertIn("added PermissionRequest: ", told)
        self.assertIn("settings.json.before-router", told)
        self.assertEqual((self.settings.parent / "settings.json.before-router").read_text(), before + "\n")
        installed = json.loads(self.settings.read_text())
        self.assertEqual(list(installed), ["model", "hooks", "env"])
        self.assertEqual([len(groups) for groups in installed["hooks"].values()], [2, 1, 1, 1, 1, 1, 1, 1])
        self.assertIn("no changes", self.routerctl("install", "claude"))
        self.assertIn("removed PermissionRequest: ", self.routerctl("uninstall", "claude"))
        self.assertEqual(self.settings.read_text(), before + "\n")

    def test_names_invalid_settings_and_leaves_them_alone(self):
        self.settings.parent.mkdir()
        for text in ("{// a remark\n}", '{"hooks": []}'):
            self.settings.write_text(text)
            told = self.routerctl("install", "claude", status=70)
            self.assertIn(str(self.settings), told)
            self.assertEqual(self.settings.read_text(), text)
        self.assertEqual(os.listdir(self.settings.parent), ["settings.json"])

    def test_installs_into_the_projects_settings(self):
        self.routerctl("install", "claude", "--project", "--always", "Bash", "--timeout", "2h")
        hooks = json.loads((self.project / ".claude" / "settings.json").read_text())["hooks"]
        self.assertEqual(hooks["PreToolUse"][0]["matcher"], "Bash")
        self.assertEqual(hooks["PreToolUse"][0]["hooks"][0]["timeout"], 93600)
        self.assertTrue(hooks["PreToolUse"][0]["hooks"][0]["command"].endswith(" agent hook --app claude-code --timeout 7190s --limit 93590s"))
        self.assertFalse(self.settings.exists())

    def test_explains_how_to_trust_the_hook_without_a_codex_binary(self):
        self.assertIn("/hooks", self.routerctl("install", "codex"))
        hooks = json.loads((self.home / ".codex" / "hooks.json").read_text())["hooks"]
        self.assertEqual(list(hooks), ["PermissionRequest", "PostToolUse", "Stop", "Interrupt", "SessionStart", "SessionEnd"])
        self.assertTrue(hooks["Stop"][0]["hooks"][0]["command"].endswith(" agent hook --app codex --limit 86990s"))

    def test_installs_and_uninstalls_each_agent(self):
        places = {
            "copilot": ".copilot/hooks/router.json", "vscode": ".copilot/hooks/router-vscode.json", "cursor": ".cursor/hooks.json",
            "gemini": ".gemini/settings.json", "qwen": ".qwen/settings.json", "cline": "Documents/Cline/Hooks/PreToolUse"}
        for agent, place in places.items():
            with self.subTest(agent):
                self.routerctl("install", agent)
                text = (self.home / place).read_text()
                self.assertIn("no changes", self.routerctl("install", agent))
                self.assertEqual((self.home / place).read_text(), text)
                told = self.routerctl("doctor", agent, status=8)
                self.assertIn("has the hook for ", told)
                self.assertIn("if the hook is late, ", told)
                self.assertNotIn("again", told)
                self.routerctl("uninstall", agent)
                self.assertFalse((self.home / place).exists())
        kept = self.home / ".local/lib/router/agent"
        self.assertEqual({path.parent for path in self.home.rglob("*") if path.is_file()}, {kept})

    def test_writes_the_limits_in_each_agents_units(self):
        def handlers(agent, place, event):
            self.routerctl("install", agent)
            return json.loads((self.home / place).read_text())["hooks"][event]

        self.assertEqual(handlers("gemini", ".gemini/settings.json", "BeforeTool")[0]["hooks"][0]["timeout"], 87_000_000)
        copilot = handlers("copilot", ".copilot/hooks/router.json", "PermissionRequest")[0]
        self.assertEqual((copilot["timeoutSec"], copilot["type"]), (87_000, "command"))
        self.assertIs(handlers("cursor", ".cursor/hooks.json", "beforeShellExecution")[0]["failClosed"], True)
        self.assertEqual(json.loads((self.home / ".cursor/hooks.json").read_text())["version"], 1)
        self.routerctl("install", "cline")
        program = self.home / "Documents/Cline/Hooks/PreToolUse"
        self.assertTrue(os.access(program, os.X_OK))
        # The agent's limit cannot be raised.
        self.assertTrue(program.read_text().endswith(" agent hook --app cline\n"))

    def test_makes_passwords_of_commands_go_through_router_only_if_wanted(self):
        directory = self.home / ".local/lib/router/agent"
        self.routerctl("install", "claude", "--no-askpass")
        self.assertFalse(directory.exists())
        self.routerctl("install", "claude")
        self.assertEqual(json.loads(self.settings.read_text())["env"], {"CLAUDE_ENV_FILE": str(directory / "environment")})
        script = f". {directory}/environment; . {directory}/environment; echo $PATH; command -v sudo"
        done = subprocess.run(["/bin/sh", "-c", script], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, f"{directory}:/usr/bin:/bin\n{directory}/sudo\n")
        self.assertIn(". " + str(directory / "environment"), self.routerctl("install", "gemini"))
        self.assertNotIn("Kept", self.routerctl("uninstall", "claude"))
        self.assertIn(f"Kept {directory}", self.routerctl("uninstall", "gemini"))
        # The user's own file stays.
        own = {"env": {"CLAUDE_ENV_FILE": "/own"}}
        self.settings.parent.mkdir(exist_ok=True)
        self.settings.write_text(json.dumps(own))
        self.routerctl("install", "claude")
        self.routerctl("uninstall", "claude")
        self.assertEqual(json.loads(self.settings.read_text()), own)

    def test_keeps_the_passwords_of_a_project_when_another_agent_is_uninstalled(self):
        self.routerctl("install", "claude", "--project")
        self.routerctl("install", "gemini")
        self.assertIn("To remove it: rm -r ", self.routerctl("uninstall", "gemini"))
        [file] = json.loads((self.project / ".claude/settings.json").read_text())["env"].values()
        done = subprocess.run(["/bin/sh", "-c", f". {file}; command -v sudo"], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, os.path.dirname(file) + "/sudo\n")
        self.assertTrue(os.access(done.stdout.strip(), os.X_OK))

    def test_keeps_a_program_in_the_place_of_the_hook(self):
        program = self.home / "Documents/Cline/Hooks/PreToolUse"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\necho mine\n")
        self.assertIn("it is not Router's program", self.routerctl("install", "cline", status=70))
        self.routerctl("uninstall", "cline")
        self.assertEqual(program.read_text(), "#!/bin/sh\necho mine\n")

    def test_doctor_reports_each_problem(self):
        nothing = self.routerctl("doctor", status=8)
        self.assertIn("no agent asks through Router yet", nothing)
        self.assertIn("cannot reach routerd", nothing)
        daemon = Daemon()
        self.addCleanup(daemon.remove)
        self.routerctl("install", "claude")
        self.assertIn("has no presenter", self.routerctl("doctor", status=8, ROUTERD_SOCKET=daemon.socket))
        presenter = Presenter(daemon, lambda _: None)
        self.addCleanup(presenter.close)
        self.assertNotIn("problem", self.routerctl("doctor", ROUTERD_SOCKET=daemon.socket))
        self.routerctl("install", "claude", "--project")
        server = {"mcpServers": {"asker": {"command": ROUTERCTL, "args": ["mcp"]}}}
        (self.project / ".mcp.json").write_text(json.dumps(server))
        twice = self.routerctl("doctor", status=8, ROUTERD_SOCKET=daemon.socket)
        self.assertIn("more than once for PermissionRequest", twice)
        self.assertIn("mcp__asker__approve", twice)


if __name__ == "__main__":
    unittest.main()
