"""The frameworks that dependencies belong to, and the kind of program each makes: data only."""

# Ecosystem (as in package URLs) -> framework -> dependencies any of which names it. One that ends in `*` is a prefix.
FRAMEWORKS: dict[str, dict[str, str]] = {
    "npm": {
        "angular": "@angular/core",
        "apollo": "@apollo/server apollo-server apollo-server-express",
        "astro": "astro",
        "commander": "commander",
        "cypress": "cypress",
        "drizzle": "drizzle-orm",
        "electron": "electron",
        "elysia": "elysia",
        "expo": "expo",
        "express": "express",
        "fastify": "fastify",
        "gatsby": "gatsby",
        "hapi": "@hapi/hapi",
        "hono": "hono",
        "jest": "jest @jest/core",
        "koa": "koa",
        "mocha": "mocha",
        "nestjs": "@nestjs/core",
        "next": "next",
        "nuxt": "nuxt nuxt3",
        "oclif": "@oclif/core",
        "playwright": "playwright @playwright/test",
        "preact": "preact",
        "prisma": "prisma @prisma/client",
        "react": "react",
        "react-native": "react-native",
        "remix": "@remix-run/react @remix-run/node",
        "solid": "solid-js",
        "svelte": "svelte",
        "sveltekit": "@sveltejs/kit",
        "tailwind": "tailwindcss",
        "trpc": "@trpc/server",
        "typeorm": "typeorm",
        "vite": "vite",
        "vitest": "vitest",
        "vue": "vue",
        "yargs": "yargs",
    },
    "pypi": {
        "aiohttp": "aiohttp",
        "airflow": "apache-airflow",
        "celery": "celery",
        "click": "click",
        "django": "django",
        "django-rest-framework": "djangorestframework",
        "falcon": "falcon",
        "fastapi": "fastapi",
        "flask": "flask",
        "jax": "jax",
        "langchain": "langchain langchain-core",
        "litestar": "litestar",
        "numpy": "numpy",
        "pandas": "pandas",
        "pydantic": "pydantic",
        "pyramid": "pyramid",
        "pytest": "pytest",
        "sanic": "sanic",
        "scikit-learn": "scikit-learn",
        "scrapy": "scrapy",
        "sqlalchemy": "sqlalchemy sqlmodel",
        "starlette": "starlette",
        "streamlit": "streamlit",
        "tensorflow": "tensorflow",
        "torch": "torch pytorch-lightning",
        "tornado": "tornado",
        "transformers": "transformers",
        "typer": "typer",
    },
    "cargo": {
        "actix": "actix-web",
        "axum": "axum",
        "bevy": "bevy",
        "clap": "clap structopt",
        "diesel": "diesel",
        "leptos": "leptos",
        "poem": "poem",
        "rocket": "rocket",
        "sea-orm": "sea-orm",
        "serde": "serde",
        "sqlx": "sqlx",
        "tauri": "tauri",
        "tokio": "tokio",
        "tonic": "tonic",
        "warp": "warp",
        "yew": "yew",
    },
    "golang": {
        "beego": "github.com/beego/beego",
        "chi": "github.com/go-chi/chi",
        "cobra": "github.com/spf13/cobra",
        "echo": "github.com/labstack/echo",
        "fiber": "github.com/gofiber/fiber",
        "gin": "github.com/gin-gonic/gin",
        "gorilla": "github.com/gorilla/mux",
        "gorm": "gorm.io/gorm",
        "grpc": "google.golang.org/grpc",
        "testify": "github.com/stretchr/testify",
        "urfave-cli": "github.com/urfave/cli",
    },
    "maven": {
        "android": "com.android.application com.android.library com.android.tools.build:*",
        "hibernate": "org.hibernate:* org.hibernate.orm:*",
        "junit": "junit:junit org.junit.jupiter:*",
        "ktor": "io.ktor:* io.ktor.plugin",
        "micronaut": "io.micronaut:* io.micronaut.application",
        "picocli": "info.picocli:*",
        "quarkus": "io.quarkus:* io.quarkus.platform:* io.quarkus",
        "spring": "org.springframework:* org.springframework.boot:* org.springframework.boot",
    },
    "gem": {
        "hanami": "hanami",
        "jekyll": "jekyll",
        "rails": "rails railties",
        "rspec": "rspec rspec-rails",
        "sidekiq": "sidekiq",
        "sinatra": "sinatra",
        "thor": "thor",
    },
    "composer": {
        "laravel": "laravel/framework laravel/lumen-framework",
        "phpunit": "phpunit/phpunit",
        "slim": "slim/slim",
        "symfony": "symfony/framework-bundle symfony/symfony",
        "symfony-console": "symfony/console",
    },
    "nuget": {
        "aspnet": "microsoft.net.sdk.web microsoft.aspnetcore.app microsoft.aspnetcore.*",
        "blazor": "microsoft.aspnetcore.components.webassembly",
        "efcore": "microsoft.entityframeworkcore microsoft.entityframeworkcore.*",
        "maui": "microsoft.maui.controls",
        "nunit": "nunit",
        "system-commandline": "system.commandline",
        "xunit": "xunit xunit.v3",
    },
    "hex": {"ecto": "ecto ecto_sql", "phoenix": "phoenix", "plug": "plug plug_cowboy"},
    "pub": {"flutter": "flutter", "shelf": "shelf"},
    "cmake": {
        "boost": "boost",
        "catch2": "catch2",
        "googletest": "gtest googletest",
        "opencv": "opencv",
        "qt": "qt5 qt6",
    },
}

SERVES_HTTP = frozenset(
    """actix aiohttp apollo aspnet axum beego chi django django-rest-framework echo elysia express falcon fastapi
    fastify fiber flask gin gorilla grpc hanami hapi hono koa ktor laravel litestar micronaut nestjs phoenix plug poem
    pyramid quarkus rails rocket sanic shelf sinatra slim spring starlette symfony tonic tornado trpc warp
    """.split()
)
PARSES_COMMANDS = frozenset(
    "clap click cobra commander oclif picocli symfony-console system-commandline thor typer urfave-cli yargs".split()
)


def frameworks_of(ecosystem: str, dependencies: frozenset[str]) -> set[str]:
    """Return the frameworks that dependencies of one ecosystem name."""
    return {
        framework
        for framework, names in FRAMEWORKS.get(ecosystem, {}).items()
        if any(_is_among(name, dependencies) for name in names.split())
    }


def _is_among(name: str, dependencies: frozenset[str]) -> bool:
    if name.endswith("*"):
        return any(dependency.startswith(name[:-1]) for dependency in dependencies)
    return name in dependencies
